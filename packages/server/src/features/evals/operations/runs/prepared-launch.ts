/** The inputs of a launch, and the data it writes. */
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
   * Returns the operator's settings for a stdio server. If absent, the worker of the run asks for
   * them.
   */
  stdioAddressOf?(serverId: string): PinnedServer['stdio'] | undefined;
  readonly organizationId: string;
  readonly projectId: string;
  /** The account that launches the run; null for a schedule. */
  readonly accountId: string | null;
  /** The actor in the audit log. */
  readonly actor: AuditActor;
  /** Default `api`. */
  readonly source?: 'ui' | 'api';
  readonly limits: RunLimits;
  /** Whether only saved things may be run: the servers of a suite, or one of its environments. */
  readonly savedOnly?: boolean;
  /** The group whose slot the run uses. */
  readonly group?: { readonly id: string };
  /**
   * Aborted when the caller no longer waits. A launch that has not begun to write then never does.
   */
  readonly signal?: AbortSignal;
}

/** A run that is ready to be written. */
export interface PreparedLaunch extends PlannedRun {
  readonly suiteId: string;
  readonly context: LaunchContext;
  readonly keys: ModelKeys;
  /** The saved providers of its models. */
  readonly providers: readonly SavedProvider[];
  readonly assertsNothing: AssertsNothing;
  readonly rerunOf?: RerunOf;
  /** The cases of which it plays only some rows. */
  readonly samples: readonly RowSample[];
  /** The models without a price from the operator. */
  readonly unpriced: readonly string[];
}
