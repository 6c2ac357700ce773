/**
 * Listens to a run's events, so that changes are shown immediately. The page works without them,
 * because polling finds missed changes. A hidden page closes its connection, because a browser
 * allows only a few connections to one host.
 */
import { addressOf } from '@proofmark/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keyOf } from '../../../kit/data/address-key.ts';
import type { RunIds } from './eval-runs.ts';

export function useRunEvents({ projectId, runId }: RunIds, isWanted: boolean): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (!isWanted) return;
    const ids = { projectId, runId };
    const address = addressOf(window.location.origin, 'followEvalRun', ids);
    const readAgain = () =>
      void cache.invalidateQueries(
        { queryKey: keyOf('getEvalRun', ids), exact: true },
        { cancelRefetch: false },
      );
    let events: EventSource | undefined;
    const listen = () => {
      events?.close();
      if (document.visibilityState !== 'visible') return;
      events = new EventSource(address);
      events.addEventListener('message', readAgain);
    };
    listen();
    document.addEventListener('visibilitychange', listen);
    return () => {
      document.removeEventListener('visibilitychange', listen);
      events?.close();
    };
  }, [cache, projectId, runId, isWanted]);
}
