import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import type { SavedView } from '../../api/transfer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { writeSearch } from '../../app/search-params.ts';
import { useBookKey, useMay } from '../../app/session.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog, useKeepOpen } from '../../parts/dialog.tsx';
import { Refused } from '../../parts/failure.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { shell } from '../../texts/en/shell.ts';
import { transfers as texts } from '../../texts/en/transfers.ts';

const NAME_LENGTH_MAX = 60;

type Given = Readonly<{
  /** The one to change; absent: a new one. */
  view: SavedView | undefined;
  search: Readonly<Record<string, string>>;
  onClose: () => void;
}>;

export function ViewDialog(given: Given) {
  const title = given.view === undefined ? texts.view.saveTitle : texts.view.changeTitle;
  return (
    <Dialog title={title} onClose={given.onClose}>
      <ViewForm {...given} />
    </Dialog>
  );
}

function ViewForm({ view, search, onClose }: Given) {
  const api = useBookApi();
  const key = useBookKey();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayShare = useMay()('payouts:write');
  const [name, setName] = useState(view?.name ?? '');
  const [isShared, setShared] = useState(view?.isShared ?? false);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  useKeepOpen(isBusy);
  const act = async (run: () => Promise<unknown>, said: string) => {
    setBusy(true);
    setError(undefined);
    try {
      await run();
      await queries.invalidateQueries({ queryKey: key('views') });
      toast(said);
      onClose();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  const { columns, ...filters } = search;
  const body = {
    name: name.trim(),
    query: writeSearch(filters).replace(/^\?/, ''),
    columns: columns === undefined ? [] : columns.split(','),
    isShared,
  };
  const save = () =>
    act(
      () =>
        view === undefined
          ? api({ method: 'POST', path: '/views', body })
          : api({ method: 'PUT', path: `/views/${view.id}`, body }),
      texts.view.saved(body.name),
    );
  const remove = (gone: SavedView) =>
    act(async () => {
      await api({ method: 'DELETE', path: `/views/${gone.id}` });
      void navigate({ to: '.', search: {} });
    }, texts.view.removed(gone.name));
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void save();
      }}
    >
      <p className="help">{texts.view.detail}</p>
      <TextField
        label={texts.view.name}
        value={name}
        onChange={setName}
        required
        maxLength={NAME_LENGTH_MAX}
        problem={error instanceof ApiError ? error.problemOf('name') : undefined}
      />
      {mayShare ? (
        <CheckField label={texts.view.share} isChecked={isShared} onChange={setShared} />
      ) : (
        <p className="help">{texts.view.cannotShare}</p>
      )}
      {error !== undefined && <Refused error={error} />}
      <div className="actions actions-end">
        {view === undefined ? (
          <Button inactive={isBusy && shell.underWay} onClick={onClose}>
            {shell.cancel}
          </Button>
        ) : (
          <Button kind="danger" isBusy={isBusy} onClick={() => void remove(view)}>
            {texts.view.remove}
          </Button>
        )}
        <Button kind="main" type="submit" isBusy={isBusy}>
          {texts.view.saveAct}
        </Button>
      </div>
    </form>
  );
}
