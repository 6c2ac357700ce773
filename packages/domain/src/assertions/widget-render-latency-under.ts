import { assertionKind, assertionSchema, positiveCount, toolNameField } from './assertion-kind.ts';
import { observationsInScope } from './observations-in-scope.ts';

/**
 * Holds if every rendered widget (of `toolName`, or of any tool) took less than `ms` milliseconds.
 * Fails if no widget was rendered or one was not timed.
 */
export const widgetRenderLatencyUnder = assertionKind({
  stage: 'userValue',
  schema: assertionSchema('widgetRenderLatencyUnder', {
    ms: positiveCount,
    toolName: toolNameField.optional(),
  }),
  evaluate({ ms, toolName }, transcript) {
    const scope = observationsInScope(transcript, toolName);
    const rendered = scope.filter((observation) => observation.status === 'rendered');
    if (rendered.length === 0) return { passed: false, reason: 'No widget was rendered.' };
    const times = rendered.map((observation) => observation.elapsedMs);
    if (!times.every((time) => time !== undefined && Number.isFinite(time) && time >= 0)) {
      return { passed: false, reason: 'A rendered widget was not timed.' };
    }
    const slowestMs = times.reduce<number>((slowest, time) => Math.max(slowest, time ?? 0), 0);
    return {
      passed: slowestMs < ms,
      reason: `The slowest of ${rendered.length} rendered widgets took ${slowestMs} ms; the time must be below ${ms} ms.`,
    };
  },
});
