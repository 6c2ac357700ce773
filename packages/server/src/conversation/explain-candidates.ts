/**
 * Asks a model to explain candidates (problems counted in a run). After an unusable answer, the
 * model is asked once more with a description of the problem. After a second one, the explanation
 * fails. A provider's failure is reported by its error code.
 */
import {
  assumedOutputTokens,
  type ChosenModel,
  type InsightErrorCode,
  type NarrationAnswer,
  type NarrationMaterial,
  narrationLimits,
  Refused,
  readNarration,
  writeNarrationRequest,
  writeSecondRequest,
} from '@proofmark/domain';
import { ModelFailure } from '../outside/model/model-failure.ts';
import type { ModelGateway, ModelRequest } from '../outside/model/model-gateway.ts';

const mostCalls = 2;

export async function explainCandidates(
  models: Pick<ModelGateway, 'generate'>,
  model: ChosenModel,
  material: NarrationMaterial,
  {
    signal,
    isWaitedFor,
  }: {
    readonly signal: AbortSignal;
    /**
     * Whether the explanation is still wanted. Called before every request, so that no unwanted
     * explanation is paid for.
     */
    isWaitedFor(): Promise<boolean>;
  },
): Promise<NarrationAnswer | { readonly errorCode: InsightErrorCode } | 'notWaitedFor'> {
  const { system, prompt } = writeNarrationRequest(material);
  const given = namesIn(material);
  let asked = prompt;
  for (let call = 1; call <= mostCalls; call += 1) {
    if (!(await isWaitedFor())) return 'notWaitedFor';
    const request: ModelRequest = {
      system,
      messages: [{ role: 'user', content: asked }],
      tools: [],
      temperature: 0,
      maxOutputTokens: assumedOutputTokens,
    };
    let text: string;
    try {
      ({ text } = await models.generate(model, request, { signal }));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return { errorCode: errorCodeOf(error) };
    }
    const answer = readNarration(text, given);
    if (!('problem' in answer)) return answer;
    asked = writeSecondRequest(prompt, answer.problem);
  }
  return { errorCode: 'invalid_output' };
}

function namesIn({ candidates }: NarrationMaterial) {
  const shown = candidates.slice(0, narrationLimits.candidates);
  const units = shown.flatMap(({ exemplars, contrast }) => [
    ...exemplars,
    ...(contrast ? [contrast] : []),
  ]);
  return {
    fingerprints: new Set(shown.map(({ candidate }) => candidate.fingerprint)),
    shownIds: new Set(units.map(({ id }) => id)),
  };
}

function errorCodeOf(error: unknown): InsightErrorCode {
  if (error instanceof Refused) return 'over_budget';
  if (!(error instanceof ModelFailure)) throw error;
  return error.reason === 'RATE_LIMITED' ? 'provider_rate_limited' : 'provider_error';
}
