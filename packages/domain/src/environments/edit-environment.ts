/**
 * Writes to an environment by compare-and-set: if the caller's revision is not the current one,
 * nothing is written. Omitted fields stay; null clears a field. Restoring an archived environment
 * removes pins of deleted plugin versions, because no run could use them.
 */
import type { Refusal } from '../kernel/refusal.ts';
import type { Environment, SelectedSkills } from './environment.ts';

export interface EnvironmentEdit {
  readonly expectedRevision: number;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly hostId?: string | undefined;
  readonly serverAttachmentId?: string | null | undefined;
  readonly modelId?: string | null | undefined;
  readonly skillSelection?: SelectedSkills | null | undefined;
  readonly pluginVersionIds?: readonly string[] | null | undefined;
  readonly sandboxImageId?: string | null | undefined;
}

export type EnvironmentWrite<Row extends Environment> =
  | { readonly environment: Row }
  | { readonly refusal: Refusal };

export function editEnvironment<Row extends Environment>(
  current: Row,
  edit: EnvironmentEdit,
): EnvironmentWrite<Row> {
  const refusal =
    staleness(current, edit.expectedRevision) ??
    archivedRefusal(current) ??
    (edit.name === undefined ? adhocRefusal(current) : undefined);
  if (refusal !== undefined) return { refusal };
  const { skillSelection, pluginVersionIds } = edit;
  return next(current, {
    ...(isAdhoc(current) && { adhocKey: null }),
    name: edit.name?.trim() ?? current.name,
    description: edit.description ?? current.description,
    hostId: edit.hostId ?? current.hostId,
    serverAttachmentId: kept(edit.serverAttachmentId, current.serverAttachmentId),
    modelId: kept(edit.modelId, current.modelId),
    skillSelection: kept(
      skillSelection && { mode: 'explicit', skillIds: [...new Set(skillSelection.skillIds)] },
      current.skillSelection,
    ),
    pluginVersionIds: kept(
      pluginVersionIds && [...new Set(pluginVersionIds)],
      current.pluginVersionIds,
    ),
    sandboxImageId: kept(edit.sandboxImageId, current.sandboxImageId),
  });
}

export function nameEnvironment<Row extends Environment>(
  current: Row,
  given: Pick<EnvironmentEdit, 'expectedRevision' | 'description'> & { readonly name: string },
): EnvironmentWrite<Row> {
  const refusal = staleness(current, given.expectedRevision) ?? archivedRefusal(current);
  if (refusal !== undefined) return { refusal };
  if (!isAdhoc(current)) {
    const message = 'This environment already has a name; edit the environment to change its name.';
    return { refusal: conflict(message, { reason: 'ENVIRONMENT_NAMED' }) };
  }
  return next(current, {
    name: given.name.trim(),
    description: given.description ?? current.description,
    adhocKey: null,
  });
}

export function isAdhoc({ adhocKey }: Pick<Environment, 'adhocKey'>): boolean {
  return adhocKey !== undefined && adhocKey !== null;
}

export function archiveEnvironment<Row extends Environment>(
  current: Row,
  expectedRevision: number,
  now: Date,
): EnvironmentWrite<Row> {
  const refusal = staleness(current, expectedRevision) ?? archivedRefusal(current);
  return refusal === undefined ? next(current, { archivedAt: now }) : { refusal };
}

/**
 * Restores an archived environment. The caller must check that no other environment uses the name,
 * since only the caller knows the other environments.
 */
export function restoreEnvironment<Row extends Environment>(
  current: Row,
  expectedRevision: number,
  existingPluginVersionIds: ReadonlySet<string>,
): EnvironmentWrite<Row> {
  const refusal = staleness(current, expectedRevision);
  if (refusal !== undefined) return { refusal };
  if (current.archivedAt === null) {
    return {
      refusal: conflict('This environment is not archived, so it cannot be restored.', {
        reason: 'ENVIRONMENT_NOT_ARCHIVED',
      }),
    };
  }
  const pins = current.pluginVersionIds?.filter((id) => existingPluginVersionIds.has(id)) ?? [];
  return next(current, { archivedAt: null, pluginVersionIds: pins.length > 0 ? pins : null });
}

function staleness(current: Environment, expectedRevision: number): Refusal | undefined {
  if (expectedRevision === current.revision) return undefined;
  return conflict('This environment was changed by another request; read it again.', {
    currentRevision: current.revision,
  });
}

function archivedRefusal(current: Environment): Refusal | undefined {
  if (current.archivedAt === null) return undefined;
  return conflict('This environment is archived; restore it to change it.', {
    reason: 'ENVIRONMENT_ARCHIVED',
  });
}

/**
 * An ad hoc environment (created for a run, without a name) cannot be edited, since its key is
 * derived from its content.
 */
function adhocRefusal(current: Environment): Refusal | undefined {
  if (!isAdhoc(current)) return undefined;
  return conflict('This environment has no name yet; name it before you change it.', {
    reason: 'ENVIRONMENT_ADHOC',
  });
}

function conflict(message: string, details: Readonly<Record<string, unknown>>): Refusal {
  return { code: 'CONFLICT', message, details };
}

function next<Row extends Environment>(
  current: Row,
  changes: Partial<Environment>,
): { readonly environment: Row } {
  return { environment: { ...current, ...changes, revision: current.revision + 1 } };
}

function kept<Value>(given: Value | undefined, current: Value): Value {
  return given === undefined ? current : given;
}
