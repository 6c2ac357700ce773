import { ApiError } from '@proofmark/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Query<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
  readonly isFetching: boolean;
}

export function QueryView<Data>(props: {
  query: Query<Data>;
  children: (data: NonNullable<Data>) => ReactNode;
}) {
  const { data, error, refetch, isFetching } = props.query;
  if (data !== undefined && data !== null) return props.children(data);
  if (error !== null) {
    return <QueryFailure error={error} busy={isFetching} onRetry={() => void refetch()} />;
  }
  if (data === null) return <Missing />;
  return (
    <p className="loading" role="status">
      Loading…
    </p>
  );
}

export function QueryFailure(props: { error: Error; busy: boolean; onRetry: () => void }) {
  if (props.error instanceof ApiError && props.error.code === 'NOT_FOUND') return <Missing />;
  return (
    <div className="panel failure" role="alert">
      <p>{props.error.message}</p>
      <button type="button" disabled={props.busy} onClick={props.onRetry}>
        Try again
      </button>
    </div>
  );
}

export function Missing() {
  return (
    <div className="panel empty">
      <p>There is nothing here, or you have no access to it.</p>
      <p>
        <Link to="/projects">Go to the projects</Link>
      </p>
    </div>
  );
}

export function Empty(props: { title: string; children: ReactNode }) {
  return (
    <div className="panel empty">
      <h2>{props.title}</h2>
      {props.children}
    </div>
  );
}
