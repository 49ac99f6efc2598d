import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FileUnreadable } from './file-unreadable.ts';
import { TAG_LENGTH_MAX } from './table-limits.ts';
import { attributeOf, XmlScanner } from './xml-scanner.ts';

const isBroken = (error: unknown) => error instanceof FileUnreadable && error.code === 'BROKEN';

describe('the attributes of a tag', () => {
  it('are found by their whole name, in either quotes, with a namespace or without', () => {
    const attributes = ' xr="0" r:id = "rId1"\n\tname=\'a "b" &amp; c\'';
    assert.equal(attributeOf(attributes, 'id'), 'rId1');
    assert.equal(attributeOf(attributes, 'name'), 'a "b" & c');
    assert.equal(attributeOf(attributes, 'r'), undefined);
    assert.equal(attributeOf('', 'r'), undefined);
  });

  it('are not found inside the value of another', () => {
    assert.equal(attributeOf(` name=" id='rId9' " id="rId1"`, 'id'), 'rId1');
    assert.equal(attributeOf(` name=" id='rId9' "`, 'id'), undefined);
  });

  it('have values in quotes, else the file is damaged', () => {
    for (const attributes of [' r r r', ' r', ' r=', ' r=1', ' r="1', ' r="1" s']) {
      assert.throws(() => attributeOf(attributes, 's'), isBroken, attributes);
    }
  });
});

describe('a tag', () => {
  const scan = (xml: string, pieceBytes: number) => {
    const names: string[] = [];
    const scanner = new XmlScanner({
      open: (name) => void names.push(name),
      close: () => {},
      text: () => {},
    });
    const bytes = Buffer.from(xml);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      scanner.feed(bytes.subarray(at, at + pieceBytes));
    }
    scanner.end();
    return names;
  };

  it('has a bound, whether it arrives at once or in pieces', () => {
    const longest = `<c a="${'x'.repeat(TAG_LENGTH_MAX - '<c a=""/>'.length)}"/>`;
    const longer = longest.replace('x', 'xx');
    for (const pieceBytes of [64 * 1_024, longer.length]) {
      assert.deepEqual(scan(longest, pieceBytes), ['c']);
      assert.throws(() => scan(longer, pieceBytes), {
        code: 'BROKEN',
        detail: 'A tag is longer than 262,144 characters.',
      });
    }
  });
});
