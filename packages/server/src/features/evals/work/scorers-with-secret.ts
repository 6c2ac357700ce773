import { type PlannedTrial, type RunPlan, writeScorerRequest } from '@proofmark/domain';
import type { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import type { OwnScorers } from '../../../outside/scorers/own-scorers.ts';
import type { ScorerGateway } from '../../../outside/scorers/scorer-gateway.ts';

export type ScorersOfTrial = (trial: PlannedTrial) => OwnScorers;

export function scorersWithSecret(
  scorers: ScorerGateway,
  openSecret: (signal: AbortSignal) => Promise<string | undefined>,
  plan: RunPlan,
  secrets: TraceSecrets,
): ScorersOfTrial {
  return ({ caseIndex, variantIndex, trialNumber: iterationNumber }) => ({
    async ask(scorer, { metadata, ...conversation }, signal) {
      const secret = await openSecret(signal);
      if (secret === undefined) return { problem: noSecret };
      secrets.add(secret);
      const { model, provider } = plan.cases[caseIndex]?.variants[variantIndex] ?? {};
      const trial = {
        iterationNumber,
        ...(model !== undefined && { model }),
        ...(provider !== undefined && { provider }),
      };
      const body = writeScorerRequest(
        { ...conversation, metadata: { ...metadata, ...trial } },
        (value) => secrets.redact(value),
      );
      if (body === undefined) return { problem: tooLarge };
      return scorers.ask({ ...scorer, body, secret }, signal);
    },
  });
}

const noSecret =
  'The scorer was not called: the project has no scorer secret; a project admin can create one in its settings.';
const tooLarge =
  'The scorer was not called: the request is larger than 1 MiB even after all possible cuts.';
