/**
 * Which model a case runs on. A hosted id, `<provider>/<name>`, is one the operator offers and runs on the operator's
 * key, also where the caller sent one. Any other id is the provider's own and runs on the key the caller sends for that
 * provider; the provider is the one that is named, else the part of the id before the slash. Without such a key, a
 * provider and a name that together make a hosted id are that model. What nothing fits is refused, with the hosted
 * ids of that provider.
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

function hostedModel({ id, provider }: HostedModel): ChosenModel {
  return { hosted: true, id, provider, name: id.slice(provider.length + 1) };
}

function advice(provider: string | undefined): string {
  return provider === undefined
    ? 'Name its provider, or choose one of details.hostedModels.'
    : `Send a key for ${provider} in modelApiKeys, or choose one of details.hostedModels.`;
}
