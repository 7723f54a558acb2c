/** The files of `deploy/`: manifests, compose file, image, unit, dashboard and alerts fit the gateway and each other. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, startApp } from '../../src/app.js';
import { settingGroups } from '../../src/config/settings.js';
import { metricTable } from '../../src/gateway/metricTable.js';
import { remainingAttempts, WINDOW_MS } from '../../src/rest/auth/tokenBudget.js';
import { kubernetesSchemas } from './kubernetesSchemas.js';
import { findManifest, type Manifest, renderKustomization } from './renderKustomization.js';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const read = (file: string) => readFileSync(path.join(deploy, file), 'utf8');
const settings = new Set(settingGroups.flatMap((group) => Object.keys(group.settings)));

/** Settings whose value is a secret, or may contain one. */
const secretSettings = ['PLATFORM_KEY', 'PLATFORM_SECRET', 'SANDBOX_SECRET', 'OTEL_EXPORTER_OTLP_HEADERS'];

/** Variables with a secret as their value, or with a user or a password in an address. */
function findSecrets(environment: Readonly<Record<string, string>>): string[] {
  const found = Object.entries(environment).filter(
    ([name, value]) => secretSettings.includes(name) || /^\w+:\/\/[^/]*@/.test(value),
  );
  return found.map(([name]) => name);
}

function run(command: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: deploy });
  return { status, output: `${stdout ?? ''}${stderr ?? ''}` };
}

/** The declared type of the configuration is a part of the real one, which `readConfig` returns. */
const embed = (config: Parameters<typeof startApp>[0] | { host: string; port: number }) =>
  startApp(config as Parameters<typeof startApp>[0]);

const isMissing = (command: string) =>
  run(command, command === 'kubectl' ? ['version', '--client'] : ['--version']).status !== 0;

interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: {
      image: string;
      ports: { name: string; containerPort: number }[];
      volumeMounts?: { name: string; mountPath: string }[];
    }[];
    volumes?: { name: string }[];
    enableServiceLinks?: boolean;
  };
}

const templateOf = (manifest: Manifest) => (manifest.spec as { template: PodTemplate }).template;

describe.each(['base', 'overlays/production'])('deploy/kubernetes/%s', (folder) => {
  const manifests = renderKustomization(path.join(deploy, 'kubernetes', folder));
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');

  it('renders manifests that match the schemas of their kinds', () => {
    const ajv = new Ajv({ allErrors: true });
    const problems = manifests.flatMap((manifest) => {
      const validate = ajv.compile(kubernetesSchemas[manifest.kind] ?? { not: {} });
      validate(manifest);
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) =>
          `${manifest.kind} ${manifest.metadata.name}${instancePath} ${message} ${JSON.stringify(params)}`,
      );
    });
    expect(manifests.length).toBeGreaterThan(8);
    expect(problems).toEqual([]);
  });

  it.skipIf(isMissing('kubectl'))('renders the manifests that kubectl renders', () => {
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], {
      encoding: 'utf8',
      cwd: path.join(deploy, 'kubernetes'),
    });
    expect([status, stderr]).toEqual([0, '']);
    // The hash in the name of a generated ConfigMap makes its pods restart when it changes.
    const withoutHash = stdout.replace(/\bfieldgraph-[2-9b-dfghkmt]{10}$/gm, 'fieldgraph');
    expect(withoutHash).not.toBe(stdout);
    const rendered = parseAllDocuments(withoutHash).map((document) => document.toJS() as Manifest);
    const keyed = (list: readonly Manifest[]) =>
      Object.fromEntries(list.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]));
    expect(keyed(rendered)).toEqual(keyed(manifests));
  });

  it('selects pods that exist, and ports that they have', () => {
    const pods = deployments.map(templateOf);
    for (const { kind, spec } of manifests) {
      const { selector, podSelector } =
        (spec as {
          selector?: Record<string, string> & { matchLabels?: Record<string, string> };
          podSelector?: { matchLabels: Record<string, string> };
        } & Record<string, unknown>) ?? {};
      const labels =
        podSelector?.matchLabels ?? selector?.matchLabels ?? (kind === 'Service' ? selector : undefined);
      if (labels === undefined) continue;
      const selected = pods.filter(({ metadata }) =>
        Object.entries(labels).every(([key, value]) => metadata.labels[key] === value),
      );
      expect(selected).toHaveLength(1);
      if (kind !== 'Service') continue;
      const names = selected[0]?.spec.containers.flatMap(({ ports }) => ports.map((port) => port.name));
      const { ports } = spec as { ports: { targetPort: string }[] };
      expect(names).toEqual(expect.arrayContaining(ports.map(({ targetPort }) => targetPort)));
    }
  });

  it('scales the gateway, whose deployment leaves the replicas to it', () => {
    const { spec } = findManifest(manifests, 'HorizontalPodAutoscaler', 'fieldgraph');
    const { scaleTargetRef, minReplicas, maxReplicas } = spec as {
      scaleTargetRef: { kind: string; name: string };
      minReplicas: number;
      maxReplicas: number;
    };
    const target = findManifest(manifests, scaleTargetRef.kind, scaleTargetRef.name);
    expect(target.spec).not.toHaveProperty('replicas');
    expect(minReplicas).toBeGreaterThan(1);
    expect(maxReplicas).toBeGreaterThan(minReplicas);
  });

  it('mounts each volume, and the secrets where the settings look for them', () => {
    for (const { spec } of deployments.map(templateOf)) {
      const mounts = spec.containers.flatMap(({ volumeMounts = [] }) => volumeMounts);
      expect(mounts.map(({ name }) => name)).toEqual((spec.volumes ?? []).map(({ name }) => name));
    }
    const { data = {} } = findManifest(manifests, 'ConfigMap', 'fieldgraph');
    expect(Object.keys(data).filter((name) => !settings.has(name))).toEqual([]);
    const { spec } = templateOf(findManifest(manifests, 'Deployment', 'fieldgraph'));
    const folders = spec.containers.flatMap(({ volumeMounts = [] }) =>
      volumeMounts.map(({ mountPath }) => mountPath),
    );
    const files = Object.entries(data).filter(([name]) => name.endsWith('_FILE'));
    expect(files).toHaveLength(3);
    expect(files.filter(([, file]) => !folders.includes(path.dirname(file)))).toEqual([]);
  });

  it('gives the gateway no variables of other services, which could have names of settings', () => {
    const { spec } = templateOf(findManifest(manifests, 'Deployment', 'fieldgraph'));
    expect(spec.enableServiceLinks).toBe(false);
  });

  it('contains no secret', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const maps = manifests.filter(({ kind }) => kind === 'ConfigMap');
    expect(maps.length).toBeGreaterThan(0);
    // The schema of a container allows variables only from a ConfigMap.
    expect(maps.flatMap(({ data = {} }) => findSecrets(data))).toEqual([]);
  });
});

describe('the search for secrets', () => {
  it('finds settings with secrets, and passwords in addresses', () => {
    const found = findSecrets({
      PLATFORM_URL: 'https://rest.example.com/a@b',
      PLATFORM_KEY_FILE: '/key',
      PLATFORM_KEY: 'key',
      REDIS_URL: 'rediss://:password@redis:6379',
    });
    expect(found).toEqual(['PLATFORM_KEY', 'REDIS_URL']);
    expect(secretSettings.filter((name) => !settings.has(name))).toEqual([]);
  });
});

describe('the schemas', () => {
  it('refuse a misspelled field', () => {
    const [deployment] = renderKustomization(path.join(deploy, 'kubernetes/base')).filter(
      ({ kind }) => kind === 'Deployment',
    );
    const text = JSON.stringify(deployment).replace('readinessProbe', 'readynessProbe');
    expect(new Ajv().compile(kubernetesSchemas['Deployment'] ?? {})(JSON.parse(text))).toBe(false);
  });
});

describe('deploy/compose.yaml', () => {
  const { services } = parse(read('compose.yaml')) as {
    services: Record<
      string,
      {
        environment?: Record<string, string>;
        volumes?: string[];
        ports?: string[];
        read_only?: boolean;
        cap_drop?: string[];
        security_opt?: string[];
      }
    >;
  };
  const { environment = {}, volumes = [], ports = [], read_only } = services['gateway'] ?? {};

  it('sets existing settings, and mounts the folders of the files that they name', () => {
    expect(Object.keys(environment).filter((name) => !settings.has(name))).toEqual([]);
    const files = Object.entries(environment).flatMap(([name, value]) =>
      name.endsWith('_FILE') ? [value] : [],
    );
    const mounts = volumes.map((volume) => volume.split(':'));
    expect(new Set(files.map((file) => path.dirname(file)))).toEqual(
      new Set(mounts.map(([, target]) => target)),
    );
    expect(mounts.filter(([source, , mode]) => !source?.startsWith('./secrets/') || mode !== 'ro')).toEqual(
      [],
    );
    expect(read_only).toBe(true);
  });

  it('contains no secret', () => {
    const found = Object.values(services).flatMap((service) => findSecrets(service.environment ?? {}));
    expect(found).toEqual([]);
  });

  it('takes all rights from the gateway that it does not need', () => {
    expect(services['gateway']).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('publishes the port, which has no TLS, only on loopback', () => {
    expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
  });

  it('keeps the secrets out of git, of the image and of the package', () => {
    const root = path.dirname(deploy);
    const listed = (file: string) => readFileSync(path.join(root, file), 'utf8').split('\n');
    expect(listed('.gitignore')).toContain('deploy/secrets/');
    expect(listed('.dockerignore')).toContain('deploy/secrets');
    const { files } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      files: string[];
    };
    expect(files).toContain('!deploy/secrets');
  });
});

describe('npm run sbom', () => {
  it('lists each production package of the lockfile', () => {
    const root = path.dirname(deploy);
    const { stdout } = spawnSync(process.execPath, ['scripts/sbom.js'], { cwd: root, encoding: 'utf8' });
    const { bomFormat, components } = JSON.parse(stdout) as {
      bomFormat: string;
      components: { purl: string }[];
    };
    const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; dev?: boolean }>;
    };
    const locked = Object.entries(packages)
      .filter(([name, { dev }]) => name !== '' && !dev)
      .map(
        ([name, { version }]) =>
          `pkg:npm/${name.split('node_modules/').at(-1)?.replace('@', '%40')}@${version}`,
      );
    expect(bomFormat).toBe('CycloneDX');
    expect(components.map(({ purl }) => purl).sort()).toEqual([...new Set(locked)].sort());
  });
});

describe('types/fieldgraph.d.ts', () => {
  it('declares what the package exports', () => {
    // The compiler checks the types.
    const declared: typeof import('../../types/fieldgraph.js') = { readConfig, startApp: embed };
    expect(declared.readConfig({ PORT: '0' }).port).toBe(0);
    const { main, types, exports } = JSON.parse(
      readFileSync(path.join(deploy, '../package.json'), 'utf8'),
    ) as {
      main: string;
      types: string;
      exports: Record<string, { types: string; default: string }>;
    };
    expect(exports['.']).toEqual({ types: './types/fieldgraph.d.ts', default: './dist/app.js' });
    // TypeScript with `module: commonjs` does not read `exports`.
    expect({ types, default: main }).toEqual(exports['.']);
  });
});

describe('deploy/Dockerfile', () => {
  const stages = read('Dockerfile')
    .split(/^FROM /m)
    .slice(1);

  it('ends with a stage without shell and npm that runs as another user than root', () => {
    const runtime = stages.at(-1) ?? '';
    expect(runtime).toMatch(/^gcr\.io\/distroless\/nodejs\d+-debian\d+:nonroot\n/);
    expect(runtime).toMatch(/^USER 65532:65532$/m);
    // There is no shell that could run these.
    expect(runtime).not.toMatch(/^RUN |^(CMD|ENTRYPOINT) [^[]|^HEALTHCHECK.*\n? *CMD [^[]/m);
    expect(runtime).toMatch(/^HEALTHCHECK /m);
  });

  it('copies only what the build stage makes', () => {
    const [build = '', runtime = ''] = stages;
    const copied = [...runtime.matchAll(/^COPY --from=build (\S+) /gm)].map(([, source = '']) => source);
    expect(copied.filter((source) => !build.includes(source))).toEqual([]);
    expect(copied).toHaveLength(1);
  });
});

describe('deploy/systemd', () => {
  const tls = read('systemd/tls.conf');
  const unit = read('systemd/fieldgraph.service');
  const withTls = unit.replace('[Install]', () => `${tls.replace('[Service]', '')}[Install]`);

  it('sets existing settings', () => {
    const used = [...withTls.matchAll(/\b([A-Z_]+)=%d\/(\S+)/g)];
    const names = used.map(([, name = '']) => name);
    expect(names.filter((name) => !settings.has(name))).toEqual([]);
    expect(names).toHaveLength(4);
    const loaded = [...withTls.matchAll(/^LoadCredential=([^:]+):\//gm)].map(([, name]) => name);
    expect(used.map(([, , credential]) => credential)).toEqual(loaded);
  });

  it('contains no secret', () => {
    const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list = '']) => list.split(' '));
    expect(variables.length).toBeGreaterThan(2);
    const environment = Object.fromEntries(variables.map((one) => one.split('=') as [string, string]));
    expect(findSecrets(environment)).toEqual([]);
  });

  it('takes all rights from the gateway that it does not need', () => {
    const valuesOf = (name: string) =>
      [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);
    expect(valuesOf('DynamicUser')).toEqual(['yes']);
    expect(valuesOf('ProtectSystem')).toEqual(['strict']);
    expect(valuesOf('NoNewPrivileges')).toEqual(['yes']);
    expect([valuesOf('CapabilityBoundingSet'), valuesOf('AmbientCapabilities')]).toEqual([[''], ['']]);
    // Without @pkey, V8 on x64 exits when it starts.
    expect(valuesOf('SystemCallFilter')).toEqual(['@system-service @pkey', '~@privileged']);
    expect(valuesOf('SystemCallErrorNumber')).toEqual(['EPERM']);
  });

  it('starts less often than the platform allows token requests', () => {
    const numberOf = (name: string) => Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(unit)?.[1]);
    expect(numberOf('StartLimitIntervalSec') * 1000).toBeGreaterThanOrEqual(WINDOW_MS);
    expect(numberOf('StartLimitBurst')).toBeLessThan(remainingAttempts([], 0));
  });

  it('is checked with the settings that systemd reads from the environment file', () => {
    const page = readFileSync(path.join(deploy, '../docs/deployment.md'), 'utf8');
    const [, command = ''] = /^Now check the setup;.*?```sh\n(.*?)```/ms.exec(page) ?? [];
    const folder = mkdtempSync(path.join(tmpdir(), 'fieldgraph-unit-'));
    try {
      const lines = [
        '# A comment with PORT=1',
        '; another=one',
        '',
        'PLATFORM_URL=https://rest.example.com/a?b=1&c=$d  ',
        'JWT_ROLE_SCOPES="viewer=read, operator=write"',
        "HEALTH_COUNTERS='1=Battery level:mV # 2'",
        "OTEL_SERVICE_NAME=the plant's gateway",
        '  LOG_LEVEL=',
      ];
      writeFileSync(path.join(folder, 'environment'), lines.join('\n'));
      const names = [
        'PORT',
        'another',
        'PLATFORM_URL',
        'JWT_ROLE_SCOPES',
        'HEALTH_COUNTERS',
        'OTEL_SERVICE_NAME',
        'LOG_LEVEL',
      ];
      const program = path.join(folder, 'fieldgraph');
      const print = `[process.argv[2], ...${JSON.stringify(names)}.map((name) => process.env[name] ?? null)]`;
      writeFileSync(program, `#!${process.execPath}\nconsole.log(JSON.stringify(${print}))`, { mode: 0o755 });
      const local = command
        .replaceAll('/etc/fieldgraph/', `${folder}/`)
        .replace('/opt/fieldgraph/node_modules/.bin/fieldgraph', program);
      const { stdout } = spawnSync('env', ['-i', `PATH=${process.env['PATH']}`, 'sh', '-c', local], {
        encoding: 'utf8',
      });
      expect(JSON.parse(stdout)).toEqual([
        'doctor',
        null,
        null,
        'https://rest.example.com/a?b=1&c=$d',
        'viewer=read, operator=write',
        '1=Battery level:mV # 2',
        "the plant's gateway",
        '',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.skipIf(isMissing('systemd-analyze')).each([
    ['alone', unit],
    ['with TLS', withTls],
  ])('passes systemd-analyze: %s', (_, text) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'fieldgraph-unit-'));
    const file = path.join(folder, 'fieldgraph.service');
    try {
      // `systemd-analyze` checks that the program exists.
      writeFileSync(file, text.replace('/usr/bin/node', process.execPath));
      expect(run('systemd-analyze', ['verify', '--man=no', file])).toEqual({ status: 0, output: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('dashboard and alerts', () => {
  const dashboard = JSON.parse(read('grafana/fieldgraph.json')) as {
    panels: { id: number; targets: { expr: string }[] }[];
  };
  const rules = parse(read('prometheus/fieldgraph.rules.yaml')) as {
    groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
  };
  const tests = parse(read('prometheus/fieldgraph.rules.test.yaml')) as { tests: { name: string }[] };
  const alerts = rules.groups.flatMap((group) => group.rules);
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

  const metrics = Object.values(metricTable).flatMap(({ name, type, labels }) => {
    const series = type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name];
    return series.map((one): [string, readonly string[]] => [one, ['job', 'instance', 'le', ...labels]]);
  });
  const labelsOf = new Map([...metrics, ['up', ['job', 'instance']] as [string, readonly string[]]]);

  /** Metrics that do not exist, and labels that their metrics do not have. */
  function findProblems(expression: string): string[] {
    const bare = expression.replace(/"[^"]*"/g, '""');
    const metricNames = bare.match(/\b(?:fieldgraph|nodejs|process)_\w+|\bup\b/g) ?? [];
    const known = new Set(metricNames.flatMap((name) => labelsOf.get(name) ?? []));
    const grouped = [...bare.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '));
    const matched = [...bare.matchAll(/[{,](\w+)(?:=~|!=|!~|=)/g)].map(([, name = '']) => name);
    return [
      ...metricNames.filter((name) => !labelsOf.has(name)),
      ...[...grouped, ...matched].filter((label) => !known.has(label)),
      ...(metricNames.length === 0 ? [`no metric in ${expression}`] : []),
    ];
  }

  it('use metrics and labels that exist', () => {
    expect([...expressions, ...alerts.map(({ expr }) => expr)].flatMap(findProblems)).toEqual([]);
    expect(findProblems('sum by (colour) (rate(fieldgraph_polls{kind="x"}[5m]))')).toEqual([
      'fieldgraph_polls',
      'colour',
      'kind',
    ]);
  });

  it('have one test for each alert, and say what to do', () => {
    const [usual, ...names] = tests.tests.map(({ name }) => name);
    expect(usual).toBe('usual traffic raises nothing');
    expect(names).toEqual(alerts.map(({ alert }) => alert));
    expect(
      alerts.filter(({ annotations }) => !annotations['description'] || !annotations['summary']),
    ).toEqual([]);
  });

  it.skipIf(isMissing('promtool') && !process.env['CI'])('pass promtool, with their tests', () => {
    const folder = path.join(deploy, 'prometheus');
    const check = run('promtool', ['check', 'rules', path.join(folder, 'fieldgraph.rules.yaml')]);
    expect(check.output).toContain('SUCCESS');
    const test = run('promtool', ['test', 'rules', path.join(folder, 'fieldgraph.rules.test.yaml')]);
    expect(test).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') });
  });
});
