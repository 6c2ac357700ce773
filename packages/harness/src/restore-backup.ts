import { restoreSteps } from '../../server/src/platform/backup/complete-restore.ts';
import { restoreFrom, verifyBackup } from '../../server/src/platform/backup/restore-from.ts';
import { connect } from '../../server/src/platform/database/connect.ts';
import {
  latestMigration,
  migrateWithin,
  refuseBeforeBaseLine,
} from '../../server/src/platform/migrations/migrate.ts';

export async function restoreBackup(url: string, file: string): Promise<void> {
  const verified = await verifyBackup(file, latestMigration);
  const { remember, complete } = restoreSteps(verified);
  await connect(url, (client) =>
    restoreFrom(client, verified, {
      migrate: migrateWithin,
      refuse: refuseBeforeBaseLine,
      remember,
      async complete(loaded) {
        await migrateWithin(loaded);
        await complete(loaded);
      },
    }),
  );
}
