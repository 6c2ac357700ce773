import * as z from 'zod';
import { argumentMatchings, argumentsMatch } from './argument-matching.ts';
import { assertionKind, assertionSchema, positiveCount, toolFields } from './assertion-kind.ts';
import { unlistedSentence } from './listed-tool.ts';
import { showItems, showValue } from './redact.ts';
import { showTool } from './show-tool.ts';
import { times } from './times.ts';
import { callsMadeOf, type Transcript } from './transcript.ts';

const WrappedArguments = z.strictObject(
  {
    args: z.record(z.string(), z.unknown(), {
      error: ({ input }) =>
        input === undefined ? 'args.args is missing; write args: { args: { … } }.' : undefined,
    }),
    argumentMatching: z.enum(argumentMatchings).optional(),
  },
  // The message suggests a correction instead of applying it. Only the author knows whether an
  // extra key is a mistake or a parameter of the tool.
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Arguments beside args or argumentMatching belong one level deeper: write args: { args: { ${issue.keys[0]}: … } }.`
        : undefined,
  },
);

const wrapperKeys = Object.keys(WrappedArguments.shape);

/**
 * Wraps bare arguments, which some clients send, so that later code reads only one form. Arguments
 * that contain one of the `wrapperKeys` count as already wrapped.
 */
export function wrapArguments(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return wrapperKeys.some((key) => Object.hasOwn(args, key)) ? { ...args } : { args };
}

const AskedArguments = z
  .union(
    [
      WrappedArguments.meta({ description: 'The arguments and the way to compare them.' }),
      z
        .record(z.string(), z.unknown())
        .meta({ description: 'The arguments alone. They are stored as args of the other form.' }),
    ],
    {
      error: ({ input }) =>
        input === undefined ? 'args is missing; write args: { … }.' : undefined,
    },
  )
  .transform(wrapArguments)
  .pipe(WrappedArguments);

export const toolCalledWith = assertionKind({
  // The tool call matcher also reads this kind as an expected call and decides it, so it belongs to
  // no stage.
  stage: 'ofMatcher',
  schema: assertionSchema('toolCalledWith', {
    ...toolFields,
    args: AskedArguments,
    minCount: positiveCount.optional(),
  }),
  evaluate({ toolName, serverName, args, minCount = 1 }, transcript) {
    const { toolCalls, listedTools } = transcript;
    const tool = { toolName, serverName };
    const mode = args.argumentMatching ?? 'partial';
    const calls = callsMadeOf(toolCalls, tool);
    const matching = calls.filter((call) => argumentsMatch(args.args, call.arguments, mode));
    const needed = `at least ${minCount} such ${minCount === 1 ? 'call is' : 'calls are'} required.`;
    const counted =
      calls.length === 0
        ? `${showTool(tool)} was never called.${unlistedSentence(tool, listedTools)}${answeredInstead(transcript)}`
        : `${showTool(tool)} was called ${times(calls.length)}, ` +
          `${times(matching.length)} with matching arguments; ${needed}`;
    if (matching.length >= minCount) return { passed: true, reason: counted };
    const seen = showItems(calls.map((call) => call.arguments));
    const observed = calls.length === 0 ? '' : ` Arguments seen: ${seen}.`;
    return { passed: false, reason: counted + observed };
  },
});

/** A model that calls no tool often explains why. */
function answeredInstead({ toolCalls, finalAssistantMessage: lastMessage }: Transcript): string {
  return toolCalls.length > 0 || lastMessage === undefined
    ? ''
    : ` The model said ${showValue(lastMessage)}.`;
}
