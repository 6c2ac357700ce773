// `npm run generate`: writes the API document, the published schemas and the command reference to
// docs/reference, and the client's table of requests. Tests compare these files with the contract
// and the commands, so every change of the API shows as a change of a file.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { allCommands } from '../packages/cli/src/all-commands.ts';
import { commandReference } from '../packages/cli/src/command-reference.ts';
import { loadAll } from '../packages/cli/src/run.ts';
import { openApiDocument } from '../packages/contract/src/openapi.ts';
import { basePaths } from '../packages/contract/src/operation.ts';
import { allOperations } from '../packages/contract/src/operations.ts';
import {
  publishedSchema,
  publishedSchemaNames,
} from '../packages/contract/src/published-schemas.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
write('openapi.json', openApiDocument());
for (const name of publishedSchemaNames) write(name, publishedSchema(name));
writeFileSync(
  path.join(root, 'docs/reference/commands.md'),
  commandReference(await loadAll(allCommands.commands)),
);
const requests = allOperations.map((row) => [
  row.operationId,
  `${row.method} ${basePaths[row.surface]}${row.path}`,
]);
writeJson('packages/contract/src/requests.json', Object.fromEntries(requests));

function write(name, document) {
  writeJson(path.join('docs/reference', name), document);
}

function writeJson(file, document) {
  writeFileSync(path.join(root, file), `${JSON.stringify(document, null, 2)}\n`);
}
