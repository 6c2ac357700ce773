// `npm run generate`: writes the API document, the published schemas and the reference of the commands to docs/reference,
// where tests compare them with the rows and the commands. A change of the wire then shows as a change of a file, on purpose.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { allCommands } from '../packages/cli/src/all-commands.ts';
import { commandReference } from '../packages/cli/src/command-reference.ts';
import { openApiDocument } from '../packages/contract/src/openapi.ts';
import {
  publishedSchema,
  publishedSchemaNames,
} from '../packages/contract/src/published-schemas.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
write('openapi.json', openApiDocument());
for (const name of publishedSchemaNames) write(name, publishedSchema(name));
writeFileSync(
  path.join(root, 'docs/reference/commands.md'),
  commandReference(allCommands().commands),
);

function write(name, document) {
  const file = path.join(root, 'docs/reference', name);
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
}
