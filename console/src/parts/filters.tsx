import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useKeys } from '../app/keyboard.tsx';
import { shell } from '../texts/en/shell.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { type Option, SelectField, TextField } from './field.tsx';
import { useHalfTyped } from './half-typed.tsx';
import { Icon } from './icon.tsx';

export type Filter = Readonly<{
  /** Its name in the address. */
  name: string;
  label: string;
  /** A choice of these; absent: a text. */
  options?: readonly Option[];
  type?: 'text' | 'date' | 'datetime-local' | 'tel';
  help?: string;
  /** What is wrong with a text, in words. */
  problemOf?: (value: string) => string | undefined;
  /** How the value is shown in the chip, if not as it is. */
  show?: (value: string) => string;
  /** The filter has no effect with these values of others: it is neither shown nor offered. */
  isUnused?: (values: FilterValues) => boolean;
}>;

export type FilterValues = Readonly<Record<string, string>>;

/** The filters of a list, kept in the address. Changing one goes back to the first page. */
export function useFilters(filters: readonly Filter[]): Readonly<{
  values: FilterValues;
  set: (change: Readonly<Record<string, string | undefined>>) => void;
  clear: () => void;
}> {
  const search = useSearch({ strict: false }) as Record<string, string>;
  const navigate = useNavigate();
  const names = filters.map(({ name }) => name);
  const isUsed = ({ isUnused }: Filter) => isUnused?.(search) !== true;
  const values = Object.fromEntries(
    filters.filter(isUsed).flatMap(({ name }) => {
      return search[name] === undefined ? [] : [[name, search[name]]];
    }),
  );
  // A filter without effect is removed with the next change: it would take effect when the other value goes.
  const unused = filters.filter((filter) => !isUsed(filter)).map(({ name }) => [name, undefined]);
  const set = (change: Readonly<Record<string, string | undefined>>) =>
    void navigate({
      to: '.',
      search: (now: object) =>
        ({ ...now, ...Object.fromEntries(unused), ...change, cursor: undefined }) as never,
    });
  return {
    values,
    set,
    clear: () => set(Object.fromEntries(names.map((name) => [name, undefined]))),
  };
}

type Given = Readonly<{
  filters: readonly Filter[];
  values: FilterValues;
  onSet: (change: Readonly<Record<string, string | undefined>>) => void;
  /** At the right: columns. */
  children?: ReactNode;
}>;

/** One chip for each filter that is set, and a button that adds one. */
export function Filters({ filters, values, onSet, children }: Given) {
  const [isOpen, setOpen] = useState(false);
  useKeys([{ keys: 'f', label: shell.filters.add, act: () => setOpen(true) }]);
  return (
    <div className="filters" role="group" aria-label={shell.filters.label}>
      {filters.flatMap((filter) => {
        const value = values[filter.name];
        if (value === undefined) return [];
        return [
          <span key={filter.name} className="chip">
            {filter.label} <b>{showValue(filter, value)}</b>
            <button
              type="button"
              aria-label={shell.remove(filter.label)}
              onClick={() => onSet({ [filter.name]: undefined })}
            >
              <Icon name="close" />
            </button>
          </span>,
        ];
      })}
      <button
        type="button"
        className="chip chip-add"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="plus" />
        {shell.filters.add}
      </button>
      {children !== undefined && <span className="push">{children}</span>}
      {isOpen && (
        <Dialog title={shell.filters.label} onClose={() => setOpen(false)}>
          <FilterForm
            filters={filters}
            values={values}
            onSet={(change) => {
              setOpen(false);
              onSet(change);
            }}
          />
        </Dialog>
      )}
    </div>
  );
}

export function showValue(filter: Filter, value: string): string {
  if (filter.show !== undefined) return filter.show(value);
  const labels = value
    .split(',')
    .map((one) => filter.options?.find((option) => option.value === one)?.label ?? one);
  return labels.join(', ');
}

function FilterForm({ filters, values, onSet }: Omit<Given, 'children'>) {
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>(values);
  const halfTyped = useHalfTyped();
  const used = filters.filter(({ isUnused }) => isUnused?.(draft) !== true);
  const problemOf = ({ name, problemOf: find }: Filter) => find?.(draft[name] ?? '');
  const inactive = used.some((filter) => problemOf(filter) !== undefined)
    ? shell.correctFirst
    : halfTyped;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (inactive !== undefined) return;
        onSet(
          Object.fromEntries(
            filters.map((filter) => {
              const value = used.includes(filter) ? draft[filter.name] : undefined;
              return [filter.name, value === '' ? undefined : value];
            }),
          ),
        );
      }}
    >
      {used.map((filter) => {
        const common = {
          label: filter.label,
          help: filter.help,
          problem: problemOf(filter),
          value: draft[filter.name] ?? '',
          onChange: (value: string) => setDraft({ ...draft, [filter.name]: value }),
        };
        return filter.options === undefined ? (
          <TextField key={filter.name} {...common} type={filter.type ?? 'text'} />
        ) : (
          <SelectField
            key={filter.name}
            {...common}
            options={[{ value: '', label: shell.filters.any }, ...filter.options]}
          />
        );
      })}
      <div className="actions actions-end">
        <Button
          kind="plain"
          onClick={() => onSet(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
        >
          {shell.filters.clear}
        </Button>
        <Button kind="main" type="submit" inactive={inactive}>
          {shell.filters.apply}
        </Button>
      </div>
    </form>
  );
}
