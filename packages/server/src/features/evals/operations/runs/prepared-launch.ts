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
   * Returns the operator's start command for a stdio server. Without this function, the worker of
   * the run looks up the command.
   */
  stdioAddressOf?(serverId: string): PinnedServer['stdio'] | undefined;
  readonly organizationId: string;
  readonly projectId: string;
  /** Null for a launch by a schedule. */
  readonly accountId: string | null;
  readonly actor: AuditActor;
  /** Where the launch comes from (default: `api`). */
  readonly source?: 'ui' | 'api';
  /** Whether the service itself launches the run as a sample (default: false). */
  readonly isSample?: boolean;
  readonly limits: RunLimits;
  /**
   * Whether the run may use only saved resources: the suite's own servers, or one of its
   * environments.
   */
  readonly savedOnly?: boolean;
  readonly group?: { readonly id: string };
  /** Aborted when the caller disconnects. A launch that has not begun to write then stops. */
  readonly signal?: AbortSignal;
}

export interface PreparedLaunch extends PlannedRun {
  readonly suiteId: string;
  readonly context: LaunchContext;
  readonly keys: ModelKeys;
  readonly providers: readonly SavedProvider[];
  readonly assertsNothing: AssertsNothing;
  readonly rerunOf?: RerunOf;
  readonly samples: readonly RowSample[];
  readonly unpriced: readonly string[];
}
