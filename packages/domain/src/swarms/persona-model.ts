/**
 * The models that may play a persona or judge a session: one built-in model for each role, or any
 * hosted model. Other built-in models only choose tools and cannot talk.
 */
import { isBuiltInModel } from '../clients/lexical-model.ts';
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { chooseModel, chooseOneOf, type ModelOffer } from '../models/choose-model.ts';
import { ruleJudgeId } from './rule-judge.ts';
import { scriptedUserId } from './scripted-user.ts';

export function personaModelRefusal(model: string, offer: ModelOffer): Refusal | undefined {
  const path = 'body.personaModel';
  return refusalOfPart(model, offer, { own: scriptedUserId, path, does: 'play the persona' });
}

export function goalJudgeRefusal(model: string, offer: ModelOffer): Refusal | undefined {
  const path = 'body.judgeConfig.goalCompletion.judgeModel';
  return refusalOfPart(model, offer, { own: ruleJudgeId, path, does: 'judge the journey' });
}

function refusalOfPart(
  model: string,
  offer: ModelOffer,
  { own, path, does }: { readonly own: string; readonly path: string; readonly does: string },
): Refusal | undefined {
  if (model === own) return undefined;
  const hosts = offer.hosted.filter(({ id }) => !isBuiltInModel(id));
  const chosen = chooseModel({ model }, { ...offer, hosted: hosts }, []);
  if (!('refusal' in chosen)) return undefined;
  const hosted = chosen.refusal.details?.['hostedModels'] as readonly string[];
  const message = `The model ${JSON.stringify(model)} cannot ${does}; ${chooseOneOf([own, ...hosted])}.`;
  return invalid(path, message, { ...chosen.refusal.details, path });
}
