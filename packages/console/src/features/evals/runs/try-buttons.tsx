/**
 * Buttons that open the dialogs for a replay and for a what-if with other tool texts. The dialogs
 * are loaded only when opened.
 */
import type { EvalRun } from '@proofmark/contract';
import type { SurfaceOverlay } from '@proofmark/domain';
import { lazy, Suspense, useState } from 'react';
import type { RunIds } from '../data/eval-runs.ts';
import { isPlayedHere } from './run-words.ts';

const ReplayDialog = lazy(async () => ({
  default: (await import('./replay-dialog.tsx')).ReplayDialog,
}));
const WhatIfDialog = lazy(async () => ({
  default: (await import('./what-if-dialog.tsx')).WhatIfDialog,
}));

interface RunProps {
  readonly ids: RunIds;
  readonly run: EvalRun;
}

export function TryButtons({ ids, run }: RunProps) {
  const [open, setOpen] = useState<'replay' | 'whatIf'>();
  const close = () => setOpen(undefined);
  if (!isPlayedHere(run)) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen('replay')}>
        Replay…
      </button>
      <button type="button" onClick={() => setOpen('whatIf')}>
        What if…
      </button>
      <Suspense>
        {open === 'replay' && <ReplayDialog ids={ids} run={run} onClose={close} />}
        {open === 'whatIf' && (
          <WhatIfDialog ids={ids} run={run} overlay={run.overlay?.stated} onClose={close} />
        )}
      </Suspense>
    </>
  );
}

export function TryOverlay({ ids, run, overlay }: RunProps & { overlay: SurfaceOverlay }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className="small" onClick={() => setIsOpen(true)}>
        Try it…
      </button>
      <Suspense>
        {isOpen && (
          <WhatIfDialog ids={ids} run={run} overlay={overlay} onClose={() => setIsOpen(false)} />
        )}
      </Suspense>
    </>
  );
}
