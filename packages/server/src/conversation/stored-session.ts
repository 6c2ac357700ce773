/**
 * Converts a session to its stored form. Secrets are redacted before long values are cut, because a
 * cut inside a secret would leave its beginning. A shortened value is marked, so that no
 * expectation is compared with it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Json, SessionCall, SessionEvidence, ToolCall } from '@proofmark/domain';
import type { TraceSecrets } from '../outside/mcp/trace-secrets.ts';
import { limitCalls, limitCallsOfTurns } from './limit-record.ts';
import type { SessionProgress } from './session-record.ts';

export function storedEvidence(
  { seen, end, transcript, turns, ...others }: SessionEvidence,
  secrets: TraceSecrets,
): SessionEvidence {
  const keptTurns: readonly (readonly SessionCall[])[] = limitCallsOfTurns(
    turns.map((calls) => withoutSecrets(calls, secrets)),
  );
  const { listedTools: _, ...words } = transcript;
  const toolCalls = limitCalls(withoutSecrets(transcript.toolCalls.map(askedAlone), secrets));
  return {
    ...secrets.redact({ ...others, transcript: { ...words, toolCalls } }),
    turns: keptTurns.map((calls, turn) =>
      calls.map((call, index) => {
        const isWhole = isDeepStrictEqual(call.arguments, turns[turn]?.[index]?.arguments);
        return isWhole ? call : { ...call, argumentsNotWhole: true };
      }),
    ),
    end,
    seen: secrets.redactQuotes(seen, quotes),
  };
}

/**
 * Removes the result, which has been evaluated already. The trace stores a shortened copy of it.
 */
function askedAlone(call: ToolCall): ToolCall {
  const { result: _, latencyMs: __, stillMs: ___, promptIndex: ____, ...asked } = call;
  return asked;
}

/** These fields of the evidence quote text from servers and models, so they may contain secrets. */
const quotes = new Set(['argumentProblem', 'resultProblem', 'toolName']);

export function storedProgress<Shown extends SessionProgress>(
  shown: Shown,
  secrets: TraceSecrets,
): Shown {
  const { trace, intents } = shown;
  const prompts = promptsOf(trace);
  const calls = limitCallsOfTurns(
    prompts.map(({ actualToolCalls }) => withoutSecrets(actualToolCalls, secrets)),
  );
  const bounded = {
    ...trace,
    prompts: prompts.map((one, turn) => ({ ...one, actualToolCalls: calls[turn] ?? [] })),
  };
  const preview = secrets.redact(shown.preview)?.slice(0, longestPreview).toWellFormed() ?? null;
  return { ...shown, ...secrets.redact({ trace: bounded, intents }), preview };
}

const longestPreview = 200;

function promptsOf(trace: Json): readonly { readonly actualToolCalls: readonly ToolCall[] }[] {
  return trace['prompts'] as readonly { readonly actualToolCalls: readonly ToolCall[] }[];
}

/**
 * Redacts the calls one by one, because together they may exceed the maximum length of a string.
 */
function withoutSecrets<Call extends ToolCall>(
  calls: readonly Call[],
  secrets: TraceSecrets,
): readonly Call[] {
  return calls.map((call) => secrets.redact(call));
}
