/**
 * Keyboard shortcuts in a list of trials: j and k move the focus, o opens the focused trial's
 * trace.
 */
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { flushSync } from 'react-dom';
import { isForPage } from '../../../kit/keys.ts';
import type { RunIds } from '../data/eval-runs.ts';
import type { TrialSearch } from './run-search.ts';

/** `search` is the filter of the list. The page of a trial needs it to link to the next trial. */
export function useTrialTraces({ projectId, runId }: RunIds, search?: TrialSearch): void {
  const navigate = useNavigate();
  const asked = JSON.stringify(search ?? {});
  const openTrace = useCallback(
    (trialId: string) =>
      void navigate({
        to: '/projects/$projectId/runs/$runId/trials/$trialId',
        params: { projectId, runId, trialId },
        search: JSON.parse(asked) as TrialSearch,
      }),
    [navigate, projectId, runId, asked],
  );
  useTrialKeys(openTrace);
}

function useTrialKeys(openTrace: (trialId: string) => void): void {
  useEffect(() => {
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: three keys, and for each of them what it does.
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      const trials = [...document.querySelectorAll<HTMLElement>('[data-trial]')];
      const at = trials.findIndex((trial) => trial.contains(document.activeElement));
      if (event.key === 'j') goTo(trials[at + 1] ?? turnPage('next') ?? trials.at(-1));
      else if (event.key === 'k') goTo(trials[at - 1] ?? turnPage('previous') ?? trials[0]);
      else if (event.key === 'o') {
        const trialId = trials[at]?.dataset['trial'];
        if (trialId === undefined) return;
        openTrace(trialId);
      } else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [openTrace]);
}

/**
 * Shows the next or previous page of the list, and returns its first or last trial. Undefined if
 * there is none, or if it has to be loaded first.
 */
function turnPage(step: 'next' | 'previous'): HTMLElement | undefined {
  const button = document.querySelector<HTMLButtonElement>(
    `.trial-cards .pager [data-step="${step}"]:not(:disabled)`,
  );
  if (button === null) return undefined;
  const shown = () => [...document.querySelectorAll<HTMLElement>('.trial-cards [data-trial]')];
  const [before] = shown();
  flushSync(() => button.click());
  const trials = shown();
  if (trials[0] === before) return undefined;
  return step === 'next' ? trials[0] : trials.at(-1);
}

function goTo(trial: HTMLElement | undefined): void {
  trial?.focus({ preventScroll: true });
  trial?.scrollIntoView({ block: 'nearest' });
}
