/**
 * A call that a user starts and can stop. It is also stopped when its component is unmounted or
 * starts another call.
 */
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';

export interface ServerCallState<Input, Output> {
  readonly data: Output | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  start(input: Input): void;
  stop(): void;
}

export function useServerCall<Input, Output>(
  call: (input: Input, signal: AbortSignal) => Promise<Output>,
): ServerCallState<Input, Output> {
  const running = useRef<AbortController>(undefined);
  const mutation = useMutation({
    mutationFn: (input: Input) => {
      running.current?.abort();
      running.current = new AbortController();
      return call(input, running.current.signal);
    },
  });
  const stop = useCallback(() => running.current?.abort(), []);
  useEffect(() => stop, [stop]);
  const { data, error, isPending, mutate } = mutation;
  // A stopped call is not shown as an error.
  const shownError = error?.name === 'AbortError' ? null : error;
  return { data, error: shownError, isPending, start: (input) => mutate(input), stop };
}
