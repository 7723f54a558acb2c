/**
 * Renders a kustomization as `kubectl kustomize` does, for the features that `deploy/kubernetes` uses. Others are
 * errors.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { isRecord } from '../../src/lib/records.js';

export interface Manifest {
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec?: unknown;
}

interface Kustomization {
  apiVersion: string;
  kind: string;
  namespace?: string;
  labels?: { pairs: Record<string, string> }[];
  resources: string[];
  images?: { name: string; newName: string; newTag: string }[];
  configMapGenerator?: { name: string; behavior?: 'merge'; literals: string[] }[];
  patches?: { path: string }[];
}

const KNOWN_FIELDS = 'apiVersion kind namespace labels resources images configMapGenerator patches'.split(
  ' ',
);

export function renderKustomization(folder: string): Manifest[] {
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  const kustomization = parse(read('kustomization.yaml')) as Kustomization;
  const unknown = Object.keys(kustomization).filter((field) => !KNOWN_FIELDS.includes(field));
  if (unknown.length > 0) throw new Error(`Unknown fields of the kustomization: ${unknown.join(', ')}`);

  const manifests = kustomization.resources.flatMap((resource) =>
    resource.endsWith('.yaml')
      ? parseAllDocuments(read(resource)).map((document) => document.toJS() as Manifest)
      : renderKustomization(path.join(folder, resource)),
  );
  for (const generator of kustomization.configMapGenerator ?? []) addConfigMap(manifests, generator);
  for (const { path: file } of kustomization.patches ?? []) {
    const patch = parse(read(file)) as Manifest;
    Object.assign(findManifest(manifests, patch.kind, patch.metadata.name), {
      ...(merge(findManifest(manifests, patch.kind, patch.metadata.name), patch) as Manifest),
    });
  }
  for (const { metadata } of manifests) {
    for (const { pairs } of kustomization.labels ?? []) metadata.labels = { ...metadata.labels, ...pairs };
    if (kustomization.namespace !== undefined) metadata.namespace = kustomization.namespace;
  }
  return (kustomization.images ?? []).reduce(
    (rendered, { name, newName, newTag }) =>
      JSON.parse(JSON.stringify(rendered).replaceAll(`"image":"${name}"`, `"image":"${newName}:${newTag}"`)),
    manifests,
  );
}

/** Throws if there is none: a patch or a merge without a target is an error. */
export function findManifest(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

function addConfigMap(
  manifests: Manifest[],
  { name, behavior, literals }: { name: string; behavior?: 'merge'; literals: string[] },
): void {
  const pairs = literals.map((literal): [string, string] => {
    const [key = '', ...value] = literal.split('=');
    return [key, value.join('=')];
  });
  const data = Object.fromEntries(pairs);
  if (behavior === 'merge') {
    const existing = findManifest(manifests, 'ConfigMap', name);
    existing.data = { ...existing.data, ...data };
  } else manifests.push({ ...{ apiVersion: 'v1' }, kind: 'ConfigMap', metadata: { name }, data });
}

function merge(target: unknown, patch: unknown): unknown {
  if (!isRecord(target) || !isRecord(patch)) return patch;
  const merged = Object.entries(patch).map(([key, value]) => [key, merge(target[key], value)]);
  return { ...target, ...Object.fromEntries(merged) };
}
