// `npm run generate`: writes the API document and the published schemas to docs/reference, where a
// test compares them with the rows. A change of the wire then shows as a change of a file, on purpose.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../packages/contract/src/openapi.ts';
import {
  publishedSchema,
  publishedSchemaNames,
} from '../packages/contract/src/published-schemas.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
write('openapi.json', openApiDocument());
for (const name of publishedSchemaNames) write(name, publishedSchema(name));

function write(name, document) {
  const file = path.join(root, 'docs/reference', name);
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
}
