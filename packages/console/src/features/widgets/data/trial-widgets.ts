import type { OutputOf } from '@proofmark/contract';

export type TrialWidget = OutputOf<'getEvalIterationWidgets'>['items'][number];
