import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { ApiError, NoAnswer } from '../api/api-error.ts';
import { Button } from '../parts/button.tsx';
import { ErrorCode, sayError } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { shell } from '../texts/en/shell.ts';

/** Outside a frame. */
export function NothingHere() {
  return (
    <main>
      <NotFound />
    </main>
  );
}

export function NotFound() {
  return (
    <div className="page-note">
      <div className="empty card">
        <Icon name="search" />
        <h1>{shell.errors.notFound}</h1>
        <p className="soft">{shell.errors.notFoundDetail}</p>
        <div className="actions">
          <Link to="/" className="btn btn-main">
            {shell.errors.toStart}
          </Link>
        </div>
      </div>
    </div>
  );
}

/** A page that could not be loaded, or that has a bug. The frame round it goes on. */
export function PageStopped({ error, reset }: ErrorComponentProps) {
  const isAnswer = error instanceof ApiError || error instanceof NoAnswer;
  return (
    <div className="page-note" role="alert">
      <div className="empty card">
        <Icon name="alert" />
        <h1>{shell.errors.page}</h1>
        <p className="soft">
          {isAnswer ? sayError(error) : shell.errors.pageDetail}
          <ErrorCode error={error} />
        </p>
        <div className="actions">
          <Button kind="main" onClick={() => (isAnswer ? reset() : location.reload())}>
            {isAnswer ? shell.tryAgain : shell.errors.reload}
          </Button>
        </div>
      </div>
    </div>
  );
}
