/** j and k move between the trials of a page, o opens the trace of the one that has the focus. */
import { useEffect } from 'react';
import { isForPage } from '../keyboard.tsx';

export function useTrialKeys(openTrace: (trialId: string) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      const trials = [...document.querySelectorAll<HTMLElement>('[data-trial]')];
      const at = trials.findIndex((trial) => trial.contains(document.activeElement));
      if (event.key === 'j') goTo(trials[Math.min(at + 1, trials.length - 1)]);
      else if (event.key === 'k') goTo(trials[Math.max(at - 1, 0)]);
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

function goTo(trial: HTMLElement | undefined): void {
  trial?.focus({ preventScroll: true });
  trial?.scrollIntoView({ block: 'nearest' });
}
