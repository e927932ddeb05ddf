import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Writes an assembly that deploys the version that a stack has now: node assembly-before.mjs <assembly> <stack> <its template> <folder>.
 * CDK's bucket has the code of that version since it was deployed, so the template is the only file to upload.
 */

const [assembly, stack, templateFile, folder] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(join(assembly, name), 'utf8'));
const write = (name, text) => writeFileSync(join(folder, name), text);

const template = JSON.stringify(JSON.parse(readFileSync(templateFile, 'utf8')));
const hash = createHash('sha256').update(template).digest('hex');

const { version, artifacts } = read('manifest.json');
const { [stack]: deployed, [`${stack}.assets`]: assets } = artifacts;
const [, hashOfNext] = /(\w+)\.json$/.exec(deployed.properties.stackTemplateAssetObjectUrl);
const withHash = (value) => JSON.parse(JSON.stringify(value).replaceAll(hashOfNext, hash));
const { additionalMetadataFile: _, ...rest } = deployed;

mkdirSync(folder, { recursive: true });
write(deployed.properties.templateFile, template);
const { files, ...others } = read(assets.properties.file);
write(
  assets.properties.file,
  JSON.stringify({ ...others, files: withHash({ [hashOfNext]: files[hashOfNext] }) }),
);
write(
  'manifest.json',
  JSON.stringify({ version, artifacts: withHash({ [`${stack}.assets`]: assets, [stack]: rest }) }),
);
