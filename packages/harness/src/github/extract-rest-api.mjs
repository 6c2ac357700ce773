// Extracts the operations that `proofmark report github` uses, and their schemas, from the
// published description of GitHub's REST API (13 MB). To run it again in an empty folder:
// npm pack @octokit/openapi && tar xzf octokit-openapi-*.tgz
// node …/packages/harness/src/github/extract-rest-api.mjs package >
// …/packages/harness/src/github/rest-api.json
import { readFileSync } from 'node:fs';
import path from 'node:path';

const spoken = [
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
];
/** Keywords without any effect on validation. `x-` extensions are dropped too. */
const dropped = ['description', 'example', 'examples', 'externalDocs', 'title'];

const folder = process.argv[2] ?? '.';
const { name, version, license } = read('package.json');
const whole = read('generated/api.github.com.json');
const schemas = {};
const operations = Object.fromEntries(spoken.map((operation) => [operation, extract(operation)]));
const checkRun = whole.paths['/repos/{owner}/{repo}/check-runs'].post;
// The runner of a workflow turns each `::error` and `::warning` into an annotation with this
// schema.
const { annotations } = jsonOf(checkRun.requestBody).properties.output.properties;
const taken = new Date().toISOString().slice(0, 10);
const excerpt = {
  source: `${name} ${version} (${license}), generated/api.github.com.json`,
  taken,
  operations,
  annotations: plain(annotations),
  components: { schemas },
};
process.stdout.write(`${JSON.stringify(excerpt, null, 2)}\n`);

function read(file) {
  return JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
}

function extract(operation) {
  const [method, place] = operation.split(' ');
  const { externalDocs, parameters, requestBody, responses } =
    whole.paths[place][method.toLowerCase()];
  const answers = Object.entries(responses).map(([status, answer]) => [
    status,
    plain(jsonOf(followed(answer))),
  ]);
  return {
    documentation: externalDocs.url,
    parameters: parameters
      .map(followed)
      .map((one) => ({ ...plain(one), schema: plain(one.schema) })),
    ...(requestBody !== undefined && { requestBody: plain(jsonOf(requestBody)) }),
    responses: Object.fromEntries(answers),
  };
}

function jsonOf({ content }) {
  return content['application/json'].schema;
}

function followed({ $ref, ...own }) {
  if ($ref === undefined) return own;
  return $ref
    .slice('#/'.length)
    .split('/')
    .reduce((at, part) => at[part], whole);
}

/**
 * Returns a schema without the dropped keywords and collects the schemas that it refers to. Names
 * of properties are kept, because a property may have the name of a dropped keyword.
 */
function plain(value, isProperties = false) {
  if (Array.isArray(value)) return value.map((one) => plain(one));
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$ref === 'string') keep(value.$ref);
  const kept = Object.entries(value).filter(
    ([key]) => isProperties || !(dropped.includes(key) || key.startsWith('x-')),
  );
  return Object.fromEntries(kept.map(([key, one]) => [key, plain(one, key === 'properties')]));
}

function keep($ref) {
  const id = $ref.split('/').at(-1);
  if (id in schemas) return;
  schemas[id] = {};
  schemas[id] = plain(whole.components.schemas[id]);
}
