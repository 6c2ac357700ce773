import * as z from 'zod';
import { argumentMatchings, argumentsMatch } from './argument-matching.ts';
import { assertionKind, assertionSchema, positiveCount, toolNameField } from './assertion-kind.ts';
import { showItems, showValue } from './redact.ts';
import { callsMadeOf } from './transcript.ts';

/** Enough calls of the tool carry matching arguments: at least `minCount`, one unless said. */
export const toolCalledWith = assertionKind({
  schema: assertionSchema('toolCalledWith', {
    toolName: toolNameField,
    args: z.strictObject({
      args: z.record(z.string(), z.unknown()),
      argumentMatching: z.enum(argumentMatchings).optional(),
    }),
    minCount: positiveCount.optional(),
  }),
  evaluate({ toolName, args, minCount = 1 }, { toolCalls }) {
    const mode = args.argumentMatching ?? 'partial';
    const calls = callsMadeOf(toolCalls, toolName);
    const matching = calls.filter((call) => argumentsMatch(args.args, call.arguments, mode));
    const counted =
      `${showValue(toolName)} was called ${calls.length} times, ${matching.length} of them with ` +
      `matching arguments; at least ${minCount} needed.`;
    if (matching.length >= minCount) return { passed: true, reason: counted };
    const seen = showItems(calls.map((call) => call.arguments));
    const observed = calls.length === 0 ? '' : ` Arguments seen: ${seen}.`;
    return { passed: false, reason: counted + observed };
  },
});
