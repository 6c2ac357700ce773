import type { BodyInputOf, DoctorReport, OutputOf } from '@proofmark/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { allBelow, keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { readAgain } from '../../../kit/data/operations.ts';
import { useServerCall } from '../../../kit/data/server-call.ts';
import type { ServerIds } from '../../../kit/data/server-lists.ts';
import { checkRows, type KnownChecks, withCheck } from '../doctor-progress.ts';

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
    // An examination changes nothing else about the server, so only the lists that show its result
    // are reloaded.
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
