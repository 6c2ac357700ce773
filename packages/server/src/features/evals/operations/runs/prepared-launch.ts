/** What a launch needs, and what is written of it. */
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
  /** How the operator starts a stdio server; whoever works on the run asks where the launch cannot. */
  stdioAddressOf?(serverId: string): PinnedServer['stdio'] | undefined;
  readonly organizationId: string;
  readonly projectId: string;
  /** Whoever launches it; nobody where a schedule does. */
  readonly accountId: string | null;
  /** As the audit log tells of it. */
  readonly actor: AuditActor;
  /** Default `api`. */
  readonly source?: 'ui' | 'api';
  readonly limits: RunLimits;
  /** Whether only what is saved may be run: the servers a suite keeps, or an environment of it. */
  readonly savedOnly?: boolean;
  /** The group in whose slot it runs. */
  readonly group?: { readonly id: string };
  /** Aborted when nobody waits for the launch any more; one that has not begun to be written then never is. */
  readonly signal?: AbortSignal;
}

/** A run that is ready to be written. */
export interface PreparedLaunch extends PlannedRun {
  readonly suiteId: string;
  readonly context: LaunchContext;
  readonly keys: ModelKeys;
  /** Those of the database that its models are of. */
  readonly providers: readonly SavedProvider[];
  readonly assertsNothing: AssertsNothing;
  readonly rerunOf?: RerunOf;
  /** Cases of which it plays only some rows. */
  readonly samples: readonly RowSample[];
  /** Models that the operator states no price for. */
  readonly unpriced: readonly string[];
}
