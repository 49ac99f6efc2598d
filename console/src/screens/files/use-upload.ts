import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { PayoutFile } from '../../api/payout-file-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { toast } from '../../parts/announce.tsx';
import { sayError } from '../../parts/failure.tsx';
import { files } from '../../texts/en/files.ts';
import { mayBeStored } from './may-be-stored.ts';

/** 20 MiB over a slow line. */
const UPLOAD_TIMEOUT_MS = 300_000;

type Upload = Readonly<{
  isBusy: boolean;
  error: unknown;
  /** Why nothing was uploaded although something was given. */
  problem: string | undefined;
  upload: (given: FileList | null) => Promise<void>;
}>;

/** Uploads one file and opens its page. The draft that it replaces is discarded once the new one is stored. */
export function useUpload(replacedId?: string): Upload {
  const api = useBookApi();
  const key = useBookKey();
  const { id: bookId } = useBook();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [problem, setProblem] = useState<string>();
  const unanswered = useRef<Readonly<{ of: string; key: string }>>(undefined);
  // Over a slow line the reader may have gone elsewhere: the page that they are on is not taken from them.
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const upload = async (given: FileList | null) => {
    const [file, ...others] = given ?? [];
    if (file === undefined || isBusy) return;
    setError(undefined);
    setProblem(others.length > 0 ? files.upload.one : undefined);
    if (others.length > 0) return;
    setBusy(true);
    // After an answer that was lost the same file is uploaded under the same key: it would be there twice.
    const of = `${file.name} ${file.size} ${file.lastModified}`;
    if (unanswered.current?.of !== of) unanswered.current = { of, key: crypto.randomUUID() };
    try {
      const { id } = await api<PayoutFile>({
        method: 'POST',
        path: '/payout-files',
        query: { name: file.name },
        file,
        headers: { 'idempotency-key': unanswered.current.key },
        timeoutMs: UPLOAD_TIMEOUT_MS,
      });
      unanswered.current = undefined;
      if (replacedId !== undefined) {
        // The new one is stored: it is opened also if the old one stays.
        await api({ method: 'DELETE', path: `/payout-files/${replacedId}` }).catch(
          (refusal: unknown) => toast(sayError(refusal), 'bad'),
        );
      }
      void queries.invalidateQueries({ queryKey: key('payout-files') });
      const to = `/b/${bookId}/files/${id}`;
      if (isHere.current) await navigate({ to });
      else {
        const open = { label: files.upload.open, run: () => void navigate({ to }) };
        toast(files.upload.done(file.name), 'good', open);
      }
    } catch (refusal) {
      if (!mayBeStored(refusal)) unanswered.current = undefined;
      if (!isHere.current) toast(files.upload.failed(file.name, sayError(refusal)), 'bad');
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, problem, upload };
}
