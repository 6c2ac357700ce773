/**
 * Calls to a server that a person starts and may stop. A call belongs to the component that
 * shows it: unmounting the component, or starting another call in it, ends the call.
 */
import type { BodyInputOf, DoctorReport, OutputOf } from '@proofmark/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { allBelow, keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { readAgain } from '../../../kit/data/operations.ts';
import { checkRows, type KnownChecks, withCheck } from '../doctor-progress.ts';
import type { ServerIds } from './server-lists.ts';

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
  // A call that the person stopped is not shown as an error.
  const shownError = error?.name === 'AbortError' ? null : error;
  return { data, error: shownError, isPending, start: (input) => mutate(input), stop };
}

export function useDoctor(ids: ServerIds) {
  const [known, setKnown] = useState<KnownChecks>({});
  const cache = useQueryClient();
  const call = useServerCall<void, DoctorReport>(async (_, signal) => {
    setKnown({});
    const report = await client.watch(
      'runDoctor',
      { ...ids, body: {} },
      (progress) => setKnown((before) => withCheck(before, progress)),
      { signal },
    );
    // Lists show what was found; nothing else of the server has changed.
    void readAgain(cache, [
      allBelow('listProjectServers', { projectId: ids.projectId }),
      keyOf('getHome'),
    ]);
    return report;
  });
  const checks = call.data?.checks ?? known;
  return { ...call, rows: checkRows(checks, call.isPending) };
}

export type Doctor = ReturnType<typeof useDoctor>;

export function useValidate(ids: ServerIds) {
  return useServerCall<void, OutputOf<'validateServer'>>((_, signal) =>
    client.validateServer({ ...ids, body: {} }, { signal }),
  );
}

export function useCallTool(ids: ServerIds) {
  return useServerCall((body: { toolName: string; parameters: Record<string, unknown> }, signal) =>
    client.callTool({ ...ids, body }, { signal }),
  );
}

export function usePreviewWidget(ids: ServerIds) {
  return useServerCall((body: BodyInputOf<'previewWidget'>, signal) =>
    client.previewWidget({ ...ids, body }, { signal }),
  );
}

export function useGetPrompt(ids: ServerIds) {
  return useServerCall((body: { promptName: string; arguments: Record<string, string> }, signal) =>
    client.getPrompt({ ...ids, body }, { signal }),
  );
}

export function useReadResource(ids: ServerIds) {
  return useServerCall((body: { uri: string }, signal) =>
    client.readResource({ ...ids, body }, { signal }),
  );
}
