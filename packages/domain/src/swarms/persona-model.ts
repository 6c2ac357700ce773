/** Who may play a persona: the scripted user, or a hosted model. No other built-in one can: they choose tools by words. */
import { isBuiltInModel } from '../clients/lexical-model.ts';
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { chooseModel, chooseOneOf, type ModelOffer } from '../models/choose-model.ts';
import { scriptedUserId } from './scripted-user.ts';

export function personaModelRefusal(model: string, offer: ModelOffer): Refusal | undefined {
  if (model === scriptedUserId) return undefined;
  const hosts = offer.hosted.filter(({ id }) => !isBuiltInModel(id));
  const chosen = chooseModel({ model }, { ...offer, hosted: hosts }, []);
  if (!('refusal' in chosen)) return undefined;
  const hosted = chosen.refusal.details?.['hostedModels'] as readonly string[];
  const choose = chooseOneOf([scriptedUserId, ...hosted]);
  const message = `The model ${JSON.stringify(model)} cannot play the persona; ${choose}.`;
  return invalid('body.personaModel', message, {
    ...chosen.refusal.details,
    path: 'body.personaModel',
  });
}
