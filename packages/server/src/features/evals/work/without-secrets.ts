/**
 * Removes secrets from a trial before it is written: all values that were sent to servers and
 * models, and all values under keys whose names suggest a secret. Recordings follow the same rules.
 */
import { RecordingRedactor } from '@proofmark/domain';
import type { TrialRecord } from '../../../conversation/trial-record.ts';
import type { TrialWidgets } from '../../../conversation/trial-widgets.ts';
import type { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import type { TrialToWrite } from '../store/record-trials.ts';

/**
 * Redacts only fields with free text. A secret could equal a value such as "completed", so fields
 * that decide something are not changed.
 */
export function withoutSecrets(secrets: TraceSecrets, written: TrialToWrite): TrialToWrite {
  const { actualToolCalls, error, trace, toolSurface } = written;
  const telling = new RecordingRedactor([]);
  const redactedContent = {
    actualToolCalls: telling.redact(actualToolCalls) as object,
    trace: trace && Object.fromEntries(Object.entries(trace).map(hideTelling(telling))),
  };
  return {
    ...written,
    ...secrets.redact({ ...redactedContent, error }),
    toolSurface: secrets.redactQuotes(toolSurface, quotes.toolSurface),
    scores: secrets.redactQuotes(written.scores, quotes.scores),
    ...(written.warnings && { warnings: secrets.redactQuotes(written.warnings, quotes.warnings) }),
    chain: secrets.redactQuotes(written.chain, quotes.chain),
    details: secrets.redactQuotes(written.details, quotes.details),
    ...(written.refusedCalls && {
      refusedCalls: secrets.redactQuotes(written.refusedCalls, quotes.refusedCalls),
    }),
    ...(written.widgets && { widgets: seenWithout(secrets, written.widgets) }),
  };
}

/** Removes secrets from a trial that is not stored but whose error is shown. */
export function recordWithoutSecrets(secrets: TraceSecrets, record: TrialRecord): TrialRecord {
  return {
    ...record,
    error: secrets.redact(record.error),
    chain: secrets.redactQuotes(record.chain, quotes.chain),
  };
}

/** Pictures stay unchanged, because widgets mask passwords. */
function seenWithout(secrets: TraceSecrets, { observations, pictures }: TrialWidgets) {
  const copies = observations.map((observation) => {
    const { trail: activity } = observation;
    const calls = activity.calls.map((call) => ({
      ...call,
      // The widget chooses the tool name and the arguments, so both may contain a secret.
      toolName: secrets.redact(call.toolName),
      arguments: secrets.redact(call.arguments),
    }));
    const redacted = { ...observation, trail: { ...activity, calls } };
    return secrets.redactQuotes(redacted, quotes.widgets);
  });
  return { observations: copies, pictures };
}

/**
 * Redacts only the quoting parts of a trace: names of Proofmark's own fields, such as token counts,
 * would look like secrets.
 */
function hideTelling(telling: RecordingRedactor) {
  return ([name, part]: [string, unknown]): [string, unknown] => [
    name,
    quoting.has(name) ? telling.redact(part) : part,
  ];
}

/** The parts of a trace that quote texts of users, servers and models. */
const quoting = new Set(['messages', 'prompts', 'serverRequests', 'events', 'before', 'after']);

/** The fields that quote servers, models and judges, for each part of a trial. */
const quotes = {
  toolSurface: new Set(['text']),
  scores: new Set(['rationale', 'evidence', 'error', 'reason']),
  warnings: new Set(['message']),
  chain: new Set(['predicateReasons']),
  details: new Set(['reason', 'argumentProblem', 'resultProblem', 'quotes', 'toolName']),
  // A widget chooses the names of the tools that it calls, so a name may contain a secret.
  refusedCalls: new Set(['toolName']),
  widgets: new Set(['message', 'text', 'messages', 'links', 'url', 'help', 'rule']),
};
