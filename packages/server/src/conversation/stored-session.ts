/**
 * What is kept of a session. Secrets are taken out first and long values cut then: of a secret across a cut its beginning
 * would stay. What is not whole any more says so, since nothing may be expected of it.
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

/** What came back was measured; the trace has it, bounded. */
function askedAlone(call: ToolCall): ToolCall {
  const { result: _, latencyMs: __, stillMs: ___, promptIndex: ____, ...asked } = call;
  return asked;
}

/** Where evidence quotes servers and models. */
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

/** One by one: all calls of a long session may be more than one text can hold. */
function withoutSecrets<Call extends ToolCall>(
  calls: readonly Call[],
  secrets: TraceSecrets,
): readonly Call[] {
  return calls.map((call) => secrets.redact(call));
}
