import { randomBytes, randomUUID } from 'node:crypto';
import {
  type ModelProviderKind,
  makeId,
  maskUrl,
  misleadingName,
  modelProviderKinds,
  type ProviderEdit,
  ProviderModels,
  Refused,
  RequestsAtOnce,
  type SavedProvider,
  savedInForce,
} from '@proofmark/domain';
import { modelsOf, namesInFile } from '../features/models/operations/models-of.ts';
import {
  presentConfigured,
  presentProvider,
} from '../features/models/operations/present-provider.ts';
import { type ProviderTrial, tryProvider } from '../features/models/operations/try-provider.ts';
import { removeProvider, writeProvider } from '../features/models/operations/write-provider.ts';
import { listProviders } from '../features/models/store/model-providers.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import type { AuditActor } from '../platform/accounts/store/audit-log.ts';
import type { Database } from '../platform/database/database.ts';
import { refuseIf } from '../platform/operations/action.ts';
import { payingModels } from '../platform/spending/paying-models.ts';
import { operatorSearch } from './operator-input.ts';
import { BadSetting } from './setting.ts';

export interface ProviderChange {
  readonly kind?: string;
  readonly baseUrl?: string | null;
  readonly apiKey?: string | null;
  readonly models?: readonly unknown[];
  readonly requestsAtOnce?: number | null;
}

type Shown = ReturnType<typeof presentProvider>;

/** Without an organization, the actions concern the providers for all organizations. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a plain list of the members of one service.
export function operateModels(owner: Database, actor: AuditActor, models: ModelGateway) {
  const { vault } = owner;
  const placeOf = async (organization: string | undefined): Promise<string | null> =>
    organization === undefined ? null : operatorSearch(owner).organizationOf(organization);
  const shown = (saved: SavedProvider, isInForce: boolean): Shown => ({
    ...presentProvider(saved, isInForce),
    baseUrl: saved.baseUrl === null ? null : maskUrl(saved.baseUrl),
  });
  /** The cost is written to the ledger but not capped, because the operator makes the call. */
  const paidBy = (organizationId: string, asked: ModelGateway) =>
    payingModels(asked, {
      database: owner,
      creditsPerDay: null,
      kind: 'provider_test',
      ref: randomUUID(),
      place: { organizationId, projectId: null },
    });
  return {
    async listProviders(organization?: string): Promise<readonly Shown[]> {
      const saved = await listProviders(owner.sql, vault, await placeOf(organization));
      const inForce = savedInForce(namesInFile(models), saved);
      return [
        ...models.configured.map(presentConfigured),
        ...saved.map((one) => shown(one, inForce.includes(one))),
      ];
    },

    async setProvider(name: string, change: ProviderChange, organization?: string): Promise<Shown> {
      const organizationId = await placeOf(organization);
      const id = makeId('modelProvider', Date.now(), randomBytes(10));
      return owner.transaction(async (sql) => {
        const writer = { sql, vault, actor, organizationId, name };
        const written = await orSentence(
          writeProvider(
            writer,
            id,
            (stored) => editOf(stored, change),
            (definition) => {
              if (organizationId !== null) refuseIf(misleadingName(name, definition));
            },
          ),
        );
        const saved = await listProviders(sql, vault, organizationId);
        const inForce = savedInForce(namesInFile(models), saved);
        return shown(
          written,
          inForce.some((one) => one.id === written.id),
        );
      });
    },

    async removeProvider(name: string, organization?: string): Promise<void> {
      const organizationId = await placeOf(organization);
      const isGone = await owner.transaction((sql) =>
        removeProvider({ sql, vault, actor, organizationId, name }),
      );
      if (isGone) return;
      const ofFile = namesInFile(models).includes(name);
      throw new BadSetting(
        ofFile
          ? `${name} is in the configuration file; remove it there.`
          : `There is no model provider ${name}.`,
      );
    },

    async testProvider(
      name: string,
      wanted: { readonly model?: string; readonly organization?: string },
      signal: AbortSignal,
    ): Promise<ProviderTrial> {
      const organizationId = await placeOf(wanted.organization);
      const found = await modelsOf(owner.sql, { database: owner, models }, organizationId);
      try {
        const provider = [...models.configured, ...found.saved].find((one) => one.name === name);
        if (provider === undefined) throw new BadSetting(`There is no model provider ${name}.`);
        const model = wanted.model ?? provider.models[0]?.name;
        if (model === undefined)
          throw new BadSetting(`${name} lists no models; name the model to test.`);
        const asked = organizationId === null ? found.models : paidBy(organizationId, found.models);
        return await tryProvider(asked, name, model, signal);
      } finally {
        if (found.models !== models) await found.models.close();
      }
    },
  };
}

export type ModelOperator = ReturnType<typeof operateModels>;

function editOf(stored: SavedProvider | undefined, change: ProviderChange): ProviderEdit {
  const models = ProviderModels.safeParse(change.models ?? stored?.models ?? []);
  if (!models.success) {
    throw new BadSetting(models.error.issues[0]?.message ?? 'The models are not valid.');
  }
  const atOnce = RequestsAtOnce.nullable().safeParse(
    change.requestsAtOnce === undefined ? (stored?.requestsAtOnce ?? null) : change.requestsAtOnce,
  );
  if (!atOnce.success)
    throw new BadSetting(
      'The number of concurrent requests must be a whole number from 1 to 1000.',
    );
  return {
    kind: kindOf(change.kind ?? stored?.kind),
    baseUrl: change.baseUrl === undefined ? (stored?.baseUrl ?? null) : change.baseUrl,
    ...(change.apiKey !== undefined && { apiKey: change.apiKey }),
    models: models.data,
    requestsAtOnce: atOnce.data,
  };
}

function kindOf(kind: string | undefined): ModelProviderKind {
  if (modelProviderKinds.includes(kind as ModelProviderKind)) return kind as ModelProviderKind;
  const there = `there are ${modelProviderKinds.join(', ')}.`;
  throw new BadSetting(
    kind === undefined
      ? `A new provider needs a kind; ${there}`
      : `There is no kind ${kind}; ${there}`,
  );
}

async function orSentence<Done>(work: Promise<Done>): Promise<Done> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { message, details } = error.refusal;
    const flag = flags[String(details?.['path'])];
    throw new BadSetting(flag === undefined ? message : `${flag}: ${message}`);
  }
}

/**
 * Maps the fields of a request to command-line flags, because errors must name the flag that the
 * operator typed.
 */
const flags: Readonly<Record<string, string>> = {
  'body.kind': '--kind',
  'body.baseUrl': '--base-url',
  'body.apiKey': '--key-variable',
  'body.models': '--model',
};
