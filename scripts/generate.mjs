// `npm run generate`: writes the API document, the published schemas and the reference of the
// commands to docs/reference, and the request table of the client. Tests compare them with the rows
// and the commands, so a change of the wire always shows as a change of a file.
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
