/**
 * Which model a case runs on. A hosted id, `<provider>/<name>`, is one the operator offers and runs on the operator's
 * key. Any other id is the provider's own and runs on the key the caller sends for that provider; the provider is
 * the one that is named, else the part of the id before the slash. What neither fits is refused, with the hosted ids
 * of that provider.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';
import type { ModelChoice } from '../suites/eval-case.ts';

export interface HostedModel {
  /** `<provider>/<name>`. */
  readonly id: string;
  readonly provider: string;
}

export interface ModelOffer {
  readonly hosted: readonly HostedModel[];
  /** Providers the service can speak to. */
  readonly providers: readonly string[];
}

export type ChosenModel =
  | { readonly hosted: true; readonly id: string; readonly provider: string; readonly name: string }
  | { readonly hosted: false; readonly provider: string; readonly name: string };

export function chooseModel(
  choice: ModelChoice,
  offer: ModelOffer,
  /** Providers for which the caller sent a key. */
  keyed: readonly string[],
): ChosenModel | { readonly refusal: Refusal } {
  const { model } = choice;
  const spelled = [
    model,
    ...(choice.provider === undefined ? [] : [`${choice.provider}/${model}`]),
  ];
  const hosted = offer.hosted.find(({ id }) => spelled.includes(id));
  const slash = model.indexOf('/');
  const provider = choice.provider ?? (slash > 0 ? model.slice(0, slash) : undefined);
  const name =
    provider !== undefined && model.startsWith(`${provider}/`)
      ? model.slice(provider.length + 1)
      : model;
  // A caller who brings a key for the provider wants the call on that key.
  if (provider !== undefined && keyed.includes(provider) && offer.providers.includes(provider)) {
    return { hosted: false, provider, name };
  }
  if (hosted !== undefined) {
    return {
      hosted: true,
      id: hosted.id,
      provider: hosted.provider,
      name: hosted.id.slice(hosted.provider.length + 1),
    };
  }
  const ofProvider = offer.hosted.filter((one) => one.provider === provider);
  const hostedModels = (ofProvider.length > 0 ? ofProvider : offer.hosted).map(({ id }) => id);
  return {
    refusal: invalid(
      'model',
      `The model ${JSON.stringify(model)} cannot be run here. ${advice(provider)}`,
      {
        reason: 'MODEL_NOT_AVAILABLE',
        model,
        hostedModels,
      },
    ),
  };
}

function advice(provider: string | undefined): string {
  return provider === undefined
    ? 'Name its provider, or choose one of details.hostedModels.'
    : `Send a key for ${provider} in modelApiKeys, or choose one of details.hostedModels.`;
}
