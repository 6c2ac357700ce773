import { insertOfferedTools, insertRecordedTrial } from '@proofmark/harness/eval-rows.ts';
import { insertSeenWidget } from '@proofmark/harness/seen-widgets.ts';
import type { Maker } from './example-parts.ts';

export const keptOfTrials = {
  getEvalIterationWidgets: () => ({}),
  getEvalIterationWidgetPicture: async (service, tenant) => ({
    values: await insertSeenWidget(service, tenant),
  }),
  getEvalIterationTools: async (service, tenant) => ({
    values: await insertOfferedTools(service, tenant),
  }),
  getEvalIterationRecording: async (service, tenant) => ({
    values: await insertRecordedTrial(service, tenant),
  }),
} satisfies Readonly<Record<string, Maker>>;
