/** A trial as it is written: nothing of it quotes what was sent to servers and models. */
import type { TraceSecrets } from '../mcp/trace-secrets.ts';
import type { TrialToWrite } from '../storage/eval-runs/record-trials.ts';
import type { WidgetsToWrite } from '../storage/eval-runs/stored-widgets.ts';

/** A header may say "completed" as well: what decides stays as it is. */
export function withoutSecrets(secrets: TraceSecrets, written: TrialToWrite): TrialToWrite {
  const { actualToolCalls, error, trace, toolSurface } = written;
  return {
    ...written,
    ...secrets.redact({ actualToolCalls, error, trace }),
    toolSurface: secrets.redactQuotes(toolSurface, quotes.toolSurface),
    scores: secrets.redactQuotes(written.scores, quotes.scores),
    chain: secrets.redactQuotes(written.chain, quotes.chain),
    details: secrets.redactQuotes(written.details, quotes.details),
    ...(written.widgets && { widgets: seenWithout(secrets, written.widgets) }),
  };
}

/** Pictures stay as they are: they show no password. */
function seenWithout(secrets: TraceSecrets, { observations, pictures }: WidgetsToWrite) {
  const copies = observations.map((observation) => {
    const { trail } = observation;
    const calls = trail.calls.map((call) => ({
      ...call,
      arguments: secrets.redact(call.arguments),
    }));
    const told = { ...observation, trail: { ...trail, calls } };
    return secrets.redactQuotes(told, quotes.widgets);
  });
  return { observations: copies, pictures };
}

/** Where each part quotes servers, models and judges. */
const quotes = {
  toolSurface: new Set(['text']),
  scores: new Set(['rationale', 'evidence', 'error', 'reason']),
  chain: new Set(['predicateReasons']),
  details: new Set(['reason', 'argumentProblem', 'resultProblem', 'quotes', 'toolName']),
  widgets: new Set(['message', 'text', 'messages', 'links', 'url', 'help']),
};
