/**
 * Model providers that the operator pays or runs, named in the configuration file. A key stands there itself or, better,
 * as the name of an environment variable. What is offered as hosted must be able to run: the large providers need a
 * key for it, and an OpenAI-compatible server needs its address.
 */
import { lexicalModelId } from '@proofmark/domain';
import * as z from 'zod';
import { type ModelProvider, modelProviderKinds } from '../model/model-provider.ts';
import { BadSetting } from './setting.ts';

const Price = z.number().min(0, 'A price must not be negative.');

const OfferedModel = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    inputPerMillion: Price.optional(),
    outputPerMillion: Price.optional(),
    images: z.boolean().optional(),
  })
  .refine(
    (model) => (model.inputPerMillion === undefined) === (model.outputPerMillion === undefined),
    'A price needs both inputPerMillion and outputPerMillion.',
  );

const ConfiguredProvider = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'A name has small letters, digits, dots and hyphens.')
    .refine((name) => !lexicalModelId.startsWith(`${name}/`), 'This name is taken by Proofmark.'),
  kind: z.enum(modelProviderKinds),
  baseUrl: z
    .string()
    .refine(isPlainHttp, 'baseUrl must be an http or https URL without user name and password.')
    .optional(),
  apiKey: z.string().trim().min(1).optional(),
  apiKeyEnvironment: z.string().trim().min(1).optional(),
  models: z.array(OfferedModel).max(500).default([]),
  requestsAtOnce: z.int().min(1).max(1000).optional(),
});

export type ConfiguredProvider = z.infer<typeof ConfiguredProvider>;

export function modelProviders(given: unknown, where: string): readonly ConfiguredProvider[] {
  const parsed = z.array(ConfiguredProvider).max(100).safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new BadSetting(
      `${where}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`,
    );
  }
  const seen = new Set<string>();
  for (const provider of parsed.data) {
    if (seen.has(provider.name)) throw new BadSetting(`${where}: ${provider.name} is named twice.`);
    seen.add(provider.name);
    const fault = faultOf(provider);
    if (fault !== undefined) throw new BadSetting(`${where}: ${provider.name} ${fault}`);
  }
  return parsed.data;
}

export interface KeyedProvider extends ModelProvider {
  /** The environment variable that should hold the key and does not. */
  readonly missingKey?: string;
}

/** The same providers with their keys in hand. */
export function withKeys(
  providers: readonly ConfiguredProvider[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly KeyedProvider[] {
  return providers.map(({ apiKeyEnvironment, ...provider }) => {
    if (apiKeyEnvironment === undefined) return provider as KeyedProvider;
    const apiKey = environment[apiKeyEnvironment]?.trim() ?? '';
    const key = apiKey === '' ? { missingKey: apiKeyEnvironment } : { apiKey };
    return { ...provider, ...key } as KeyedProvider;
  });
}

function faultOf(provider: ConfiguredProvider): string | undefined {
  const { kind, apiKey, apiKeyEnvironment, models } = provider;
  if (apiKey !== undefined && apiKeyEnvironment !== undefined) {
    return 'has both apiKey and apiKeyEnvironment; keep one.';
  }
  if (kind === 'openai-compatible' && provider.baseUrl === undefined) return 'needs a baseUrl.';
  const isKeyed = kind !== 'ollama' && kind !== 'openai-compatible';
  if (isKeyed && models.length > 0 && apiKey === undefined && apiKeyEnvironment === undefined) {
    return 'offers models and needs apiKeyEnvironment or apiKey for them.';
  }
  const names = models.map((model) => model.name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  return twin === undefined ? undefined : `names the model ${twin} twice.`;
}

function isPlainHttp(url: string): boolean {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}
