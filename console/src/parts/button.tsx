import { type ButtonHTMLAttributes, useId } from 'react';
import { Icon, type IconName } from './icon.tsx';

type Given = Readonly<
  {
    kind?: 'main' | 'danger' | 'plain';
    size?: 'sm' | 'lg';
    isBlock?: boolean;
    icon?: IconName;
    /** Why the button cannot be used now. It stays reachable by keyboard and shows the reason. */
    inactive?: string | false | undefined;
    isBusy?: boolean;
  } & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'>
>;

/** A button that cannot be used is not disabled but inactive with a reason, so that the keyboard reaches it. */
export function Button(given: Given) {
  const { kind, size, isBlock, icon, inactive, isBusy, className, children, onClick, ...rest } =
    given;
  const reasonId = useId();
  const isInactive = (inactive !== undefined && inactive !== false) || isBusy === true;
  const classes = ['btn'];
  if (kind !== undefined) classes.push(`btn-${kind}`);
  if (size !== undefined) classes.push(`btn-${size}`);
  if (isBlock === true) classes.push('btn-block');
  if (className !== undefined) classes.push(className);
  return (
    <>
      <button
        type="button"
        {...rest}
        className={classes.join(' ')}
        aria-disabled={isInactive ? true : undefined}
        aria-busy={isBusy === true ? true : undefined}
        aria-describedby={typeof inactive === 'string' ? reasonId : rest['aria-describedby']}
        title={typeof inactive === 'string' ? inactive : rest.title}
        onClick={(event) => {
          if (isInactive) event.preventDefault();
          else onClick?.(event);
        }}
      >
        {icon !== undefined && <Icon name={icon} />}
        {children}
      </button>
      {typeof inactive === 'string' && (
        <span id={reasonId} className="visually-hidden">
          {inactive}
        </span>
      )}
    </>
  );
}
