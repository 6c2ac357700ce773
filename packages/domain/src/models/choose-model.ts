/**
 * Chooses the model of a case.
 *
 * - A hosted id, `<provider>/<name>`, is a model that the operator offers. It runs on the
 *   operator's key, even if the caller sent a key.
 * - Any other id is the provider's own and runs on the caller's key for that provider. The provider
 *   is the one that the case names, or else the part of the id before the slash.
 * - If the caller sent no such key, and provider and name together form a hosted id, that hosted
 *   model is chosen.
 * - Anything else is refused, and the refusal lists the provider's hosted ids.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';
import type { ModelChoice } from '../suites/eval-case.ts';

export interface OfferedModel {
  /** The id in the form `<provider>/<name>`. */
  readonly id: string;
  readonly provider: string;
}

export interface ModelOffer {
  readonly hosted: readonly OfferedModel[];
  readonly providers: readonly string[];
}

export type ChosenModel =
  | { readonly hosted: true; readonly id: string; readonly provider: string; readonly name: string }
  | { readonly hosted: false; readonly provider: string; readonly name: string };

export function chooseModel(
  choice: ModelChoice,
  offer: ModelOffer,
  /** The providers for which the caller sent a key. */
  keyed: readonly string[],
): ChosenModel | { readonly refusal: Refusal } {
  const { model } = choice;
  const asWritten = offer.hosted.find(({ id }) => id === model);
  if (asWritten !== undefined) return hostedModel(asWritten);
  const slash = model.indexOf('/');
  const provider = choice.provider ?? (slash > 0 ? model.slice(0, slash) : undefined);
  const name =
    provider !== undefined && model.startsWith(`${provider}/`)
      ? model.slice(provider.length + 1)
      : model;
  if (provider !== undefined && keyed.includes(provider) && offer.providers.includes(provider)) {
    return { hosted: false, provider, name };
  }
  const together = offer.hosted.find(({ id }) => id === `${choice.provider}/${model}`);
  if (together !== undefined) return hostedModel(together);
  const ofProvider = offer.hosted.filter((one) => one.provider === provider);
  const hostedModels = (ofProvider.length > 0 ? ofProvider : offer.hosted).map(({ id }) => id);
  const takesKey = provider !== undefined && offer.providers.includes(provider);
  const choose = chooseOneOf(hostedModels);
  const message = unavailable(
    { model, provider, takesKey, isOffered: ofProvider.length > 0 },
    choose,
  );
  const details = { reason: 'MODEL_NOT_AVAILABLE', model, hostedModels };
  return { refusal: invalid('model', message, details) };
}

export function chooseOneOf(ids: readonly string[]): string {
  const unnamed = ids.length - mostNamed;
  const named = ids.slice(0, mostNamed).join(', ');
  if (ids.length < 2) return `choose ${named || 'another'}`;
  return `choose one of ${named}${unnamed > 0 ? ` and ${unnamed} more` : ''}`;
}

const mostNamed = 5;

function hostedModel({ id, provider }: OfferedModel): ChosenModel {
  return { hosted: true, id, provider, name: id.slice(provider.length + 1) };
}

function unavailable(
  wanted: {
    readonly model: string;
    readonly provider: string | undefined;
    readonly takesKey: boolean;
    readonly isOffered: boolean;
  },
  choose: string,
): string {
  const { provider } = wanted;
  const model = JSON.stringify(wanted.model);
  if (provider === undefined) {
    return `There is no model ${model}; name its provider too, as in openai/${wanted.model}, or ${choose}.`;
  }
  if (wanted.takesKey) {
    return `There is no key for the model ${model}; send one in modelApiKeys, ask the operator to configure ${provider}, or ${choose}.`;
  }
  if (wanted.isOffered) return `There is no model ${model}; ${choose}.`;
  return `There is no provider ${JSON.stringify(provider)} for the model ${model}; ask the operator to configure it, or ${choose}.`;
}
