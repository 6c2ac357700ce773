/** The input types of a launch, and the data that a launch writes. */
import type {
  AssertsNothing,
  IdKind,
  PlannedRun,
  RerunOf,
  RowSample,
  SavedProvider,
} from '@proofmark/domain';
import type { OfferedModels } from '../../../../outside/model/model-gateway.ts';
import type { AuditActor } from '../../../../platform/accounts/store/audit-log.ts';
import type { Database } from '../../../../platform/database/database.ts';
import type { RunLimits } from '../../../../platform/spending/run-limits.ts';
import type { PinnedServer } from '../../../servers/index.ts';
import type { ModelKeys } from '../../store/run-plans.ts';
import type { LaunchContext } from './launch-context.ts';

export interface LaunchDependencies {
  readonly database: Pick<Database, 'tenant' | 'vault'>;
  readonly models: OfferedModels;
  newId(kind: IdKind): string;
  /**
   * Returns the operator's start command for a stdio server. If this function is absent, the worker
   * of the run looks it up.
   */
  stdioAddressOf?(serverId: string): PinnedServer['stdio'] | undefined;
  readonly organizationId: string;
  readonly projectId: string;
  /** The account that launches the run; null for a schedule. */
  readonly accountId: string | null;
  /** The actor in the audit log. */
  readonly actor: AuditActor;
  /** Where the launch comes from; `api` by default. */
  readonly source?: 'ui' | 'api';
  /** Whether the service launches the run for its sample (default: false). */
  readonly isSample?: boolean;
  readonly limits: RunLimits;
  /**
   * Whether the run may use only saved things: the suite's own servers, or one of its environments.
   */
  readonly savedOnly?: boolean;
  /** The group whose slot the run uses. */
  readonly group?: { readonly id: string };
  /** Aborted when the caller no longer waits. A launch that has not begun to write then stops. */
  readonly signal?: AbortSignal;
}

/** A run that is ready to be written. */
export interface PreparedLaunch extends PlannedRun {
  readonly suiteId: string;
  readonly context: LaunchContext;
  readonly keys: ModelKeys;
  /** The saved providers of the run's models. */
  readonly providers: readonly SavedProvider[];
  readonly assertsNothing: AssertsNothing;
  readonly rerunOf?: RerunOf;
  /** The samples of the cases that the run plays with only some of their rows. */
  readonly samples: readonly RowSample[];
  /** The models for which the operator has set no price. */
  readonly unpriced: readonly string[];
}
