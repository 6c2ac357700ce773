/**
 * The stored form of a session. Secrets are redacted first and long values are cut after that: a
 * cut through a secret would leave its beginning. A value that is no longer complete is marked,
 * since no expectation may be checked against it.
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

/** Returns the call without its result, which was measured; the trace has a bounded copy. */
function askedAlone(call: ToolCall): ToolCall {
  const { result: _, latencyMs: __, stillMs: ___, promptIndex: ____, ...asked } = call;
  return asked;
}

/** The fields of evidence that quote servers and models. */
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

/** Redacts calls one by one, since all calls of a long session may exceed one string. */
function withoutSecrets<Call extends ToolCall>(
  calls: readonly Call[],
  secrets: TraceSecrets,
): readonly Call[] {
  return calls.map((call) => secrets.redact(call));
}
