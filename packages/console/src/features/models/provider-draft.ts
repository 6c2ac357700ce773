/**
 * The state of a provider editor. Each line of `models` contains a model and, if known, its two
 * prices.
 */
import type { BodyInputOf, ModelProviderEntry } from '@proofmark/contract';
import type { ModelProviderKind } from '@proofmark/domain';

export interface ProviderDraft {
  readonly name: string;
  readonly kind: ModelProviderKind;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly removesKey: boolean;
  readonly models: string;
  readonly requestsAtOnce: string;
}

export function providerDraftOf(entry: ModelProviderEntry | undefined): ProviderDraft {
  return {
    name: entry?.name ?? '',
    kind: entry?.kind ?? 'openai',
    baseUrl: entry?.baseUrl ?? '',
    apiKey: '',
    removesKey: false,
    models: (entry?.models ?? []).map(lineOf).join('\n'),
    requestsAtOnce: entry?.requestsAtOnce == null ? '' : String(entry.requestsAtOnce),
  };
}

type ProviderRequest = BodyInputOf<'setModelProvider'>;

export function requestOf(
  draft: ProviderDraft,
  entry: ModelProviderEntry | undefined,
): { readonly body: ProviderRequest } | { readonly badLine: string } {
  const lines = draft.models.split('\n').filter((line) => line.trim() !== '');
  const models = lines.map(modelIn);
  const bad = models.indexOf(undefined);
  if (bad >= 0) return { badLine: (lines[bad] as string).trim() };
  const apiKey = draft.apiKey.trim();
  return {
    body: {
      kind: draft.kind,
      baseUrl: draft.baseUrl.trim() === '' ? null : draft.baseUrl.trim(),
      ...(draft.removesKey && { apiKey: null }),
      ...(apiKey !== '' && { apiKey }),
      models: models.flatMap((model) => model ?? []),
      requestsAtOnce: draft.requestsAtOnce.trim() === '' ? null : Number(draft.requestsAtOnce),
      expectedRevision: entry?.revision ?? 0,
    },
  };
}

type Model = NonNullable<ProviderRequest['models']>[number];

function lineOf({ name, inputPerMillion, outputPerMillion, images }: Model): string {
  const prices = inputPerMillion === undefined ? [] : [inputPerMillion, outputPerMillion];
  const taken = images === undefined ? [] : [images ? 'images' : 'no images'];
  return [name, ...prices, ...taken].join(', ');
}

function modelIn(line: string): Model | undefined {
  const [name = '', ...rest] = line.split(',').map((part) => part.trim());
  const images = imageWords[rest.at(-1) ?? ''];
  const prices = images === undefined ? rest : rest.slice(0, -1);
  if (name === '' || ![0, 2].includes(prices.length)) return undefined;
  if (!prices.every((price) => /^\d+(\.\d+)?$/.test(price))) return undefined;
  const [input, output] = prices.map(Number);
  return {
    name,
    ...(input !== undefined && { inputPerMillion: input }),
    ...(output !== undefined && { outputPerMillion: output }),
    ...(images !== undefined && { images }),
  };
}

const imageWords: Readonly<Record<string, boolean>> = { images: true, 'no images': false };
