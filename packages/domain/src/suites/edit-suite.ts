/**
 * Applies an edit to a suite. Missing fields stay, and null removes a setting. A judge keeps the
 * fields that the edit does not name; every other setting is replaced as a whole. The edit is
 * refused if the schedule is not possible with the attached environments.
 */
import type { Refusal } from '../kernel/refusal.ts';
import type { ModelParameters } from '../models/model-parameters.ts';
import { rescheduleFor, type SuiteSchedule } from './schedule.ts';
import type { SuiteDefinition, SuiteSettings } from './suite-definition.ts';

type Nullable<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | null | undefined };

export interface SettingsEdit extends Omit<Nullable<SuiteSettings>, 'judge'> {
  readonly judge?: Nullable<NonNullable<SuiteSettings['judge']>> | undefined;
  readonly verdictPolicyVersion?: 2 | undefined;
}

export interface ExecutionEdit extends Nullable<ModelParameters> {
  readonly model?: string | undefined;
  readonly provider?: string | null | undefined;
  readonly systemPrompt?: string | null | undefined;
}

export interface EditableSuite {
  readonly name: string;
  readonly description: string | null;
  readonly definition: SuiteDefinition;
  readonly serverIds: readonly string[];
  readonly environmentIds: readonly string[];
  readonly hosts: readonly { readonly id: string; readonly serverIds?: readonly string[] }[];
  readonly schedule: SuiteSchedule;
}

export interface SuiteEdit {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly serverIds?: readonly string[] | undefined;
  /** null: none. */
  readonly environmentIds?: readonly string[] | null | undefined;
  readonly hosts?: EditableSuite['hosts'] | undefined;
  readonly executionConfig?: ExecutionEdit | undefined;
  readonly settings?: SettingsEdit | undefined;
}

export function editSuite<Suite extends EditableSuite>(
  current: Suite,
  edit: SuiteEdit,
): { readonly suite: Suite } | { readonly refusal: Refusal } {
  const environmentIds =
    edit.environmentIds === undefined
      ? current.environmentIds
      : [...new Set(edit.environmentIds ?? [])];
  const rescheduled =
    edit.environmentIds === undefined
      ? { schedule: current.schedule }
      : rescheduleFor(current.schedule, environmentIds);
  if ('refusal' in rescheduled) return rescheduled;
  return {
    suite: {
      ...current,
      name: edit.name ?? current.name,
      description: edit.description ?? current.description,
      serverIds: edit.serverIds === undefined ? current.serverIds : [...new Set(edit.serverIds)],
      environmentIds,
      hosts: edit.hosts ?? current.hosts,
      schedule: rescheduled.schedule,
      definition: editDefinition(current.definition, edit),
    },
  };
}

export function editSettings(current: SuiteSettings, edit: SettingsEdit): SuiteSettings {
  const { judge, verdictPolicyVersion, ...plain } = edit;
  const settings = withChanges<SuiteSettings>(current, plain);
  if (judge !== undefined) {
    const off = settings.judge ?? { enabled: false };
    settings.judge = withChanges<typeof off>(off, judge);
    if (isOtherModel(off.model, judge)) delete settings.judge.provider;
  }
  if (verdictPolicyVersion === 2) settings.verdictPolicyDefaults ??= {};
  return settings;
}

/**
 * Applies an edit to the definition. If other servers or environments are chosen, the target named
 * in the suite's file is no longer valid and is removed.
 */
function editDefinition(current: SuiteDefinition, edit: SuiteEdit): SuiteDefinition {
  const definition = withChanges<SuiteDefinition>(current, edit.executionConfig ?? {});
  if (isOtherModel(current.model, edit.executionConfig ?? {})) delete definition.provider;
  if (edit.settings !== undefined)
    definition.settings = editSettings(current.settings, edit.settings);
  if (definition.file !== undefined) {
    const file = { ...definition.file };
    if (edit.serverIds !== undefined) delete file.servers;
    if (edit.environmentIds !== undefined) delete file.environment;
    definition.file = file;
  }
  return definition;
}

/**
 * Whether the edit names another model without a provider. The stored provider belongs to the
 * former model.
 */
function isOtherModel(
  before: string | undefined,
  { model, provider }: { readonly model?: string | null | undefined; readonly provider?: unknown },
): boolean {
  return model !== undefined && model !== before && provider === undefined;
}

function withChanges<Fields extends object>(current: Fields, changes: object): Fields {
  const changed = { ...current } as Record<string, unknown>;
  for (const [field, value] of Object.entries(changes)) {
    if (value === null) delete changed[field];
    else if (value !== undefined) changed[field] = value;
  }
  return changed as Fields;
}
