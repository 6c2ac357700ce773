import type { FailureCategory, Stage, StageReason } from '@proofmark/domain';
import type { ExpectedTrial } from './situation.ts';

type More = Partial<Pick<ExpectedTrial, 'of' | 'times' | 'rows' | 'says' | 'never' | 'next'>>;

export function passed(more: More = {}): ExpectedTrial {
  return { status: 'completed', result: 'passed', ...more };
}

export function passedWithFailedStage(
  stage: Stage,
  reason: StageReason,
  category: FailureCategory,
  more: More = {},
): ExpectedTrial {
  return { status: 'completed', result: 'passed', stage, reason, category, ...more };
}

export function failed(
  stage: Stage,
  reason: StageReason,
  category: FailureCategory,
  more: More = {},
): ExpectedTrial {
  return { status: 'completed', result: 'failed', stage, reason, category, ...more };
}

export function notOpened(stage: 'connection' | 'discovery', more: More = {}): ExpectedTrial {
  const reason = stage === 'connection' ? 'connectFailed' : 'toolsListFailed';
  return { status: 'setup_failed', result: null, stage, reason, category: 'setup', ...more };
}

export function setUpFailed(more: More = {}): ExpectedTrial {
  return { status: 'setup_failed', result: null, category: 'setup', ...more };
}

export function providerFailed(more: More = {}): ExpectedTrial {
  return { status: 'failed', result: null, category: 'setup', ...more };
}

export function timedOut(more: More = {}): ExpectedTrial {
  return { status: 'timed_out', result: null, category: 'setup', ...more };
}

export function blocked(more: More = {}): ExpectedTrial {
  const rows = { connection: 'observed', call: 'blockedByPolicy' } as const;
  return { status: 'failed', result: null, rows, ...more };
}
