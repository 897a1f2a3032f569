/** Programs, services and models of language that are called like people and places. */
import { isDigitUnit } from '../../patterns/units.js';
import { firstWords, haveListed, wordsOf } from '../words-beside.js';

const ONE_WORD = /^\p{Lu}\p{Ll}+$/u;
/** Programs and services that the model takes for people and places, and that nobody and no town is called like. */
export const TOOLS = new Set(
  (
    'Git GitHub GitLab Bitbucket Launchpad Gerrit Docker Kubernetes Vite Bazel Artifactory Grafana Wayland Lintian Trino Presto Debian Ubuntu Fedora Gentoo ' +
    'Vercel Netlify Heroku Redis Valkey Postgres PostgreSQL MySQL SQLite MongoDB Django Flask Laravel Storybook Prettier Biome Deno Bun Pino Fastify Hono Drizzle ' +
    'Zod Ollama Qwen DeepSeek Copilot Datadog Splunk Terraform Ansible Nomad Jupyter Pandas NumPy Airflow Airbyte Dagster Debezium Snowflake Databricks Figma ' +
    'Jira Confluence Trello Bootstrap Webpack Rollup Vitest Playwright Puppeteer Kibana Elasticsearch Logstash Kafka Zookeeper Nginx Apache Wireshark Chromium Firefox ' +
    'Node Rust Golang Kotlin Swift Elixir Haskell Erlang OpenAI Anthropic LangChain Pydantic FastAPI Celery RabbitMQ Supabase Firebase Prometheus Loki Tekton Linkerd Buildkite Spinnaker Teamcity TeamCity Istio Envoy Cilium ' +
    'Gson Mockito Gradle Tomcat JUnit Jetty Netty Moshi Hibernate Netto Brutto Helm Flux Argo Pulumi Vagrant Zlib Unicode Hub World Files Dockerfile Makefile Jenkinsfile Gemfile Procfile Vagrantfile Justfile Kustomize'
  ).split(' '),
);
haveListed(TOOLS);
/** Models that are called like people, and what their names go on with. */
const PRODUCT =
  /^(?:Claude|Gemini|Gemma|Llama|Mistral|Grok|Nova|Jamba|Ernie|Falcon|Titan)(?: \p{Lu}\p{Ll}+)?$/u;
const HAS_PRODUCT = firstWords.add(wordsOf(PRODUCT));
const PRODUCT_WORD =
  / (?:Opus|Sonnet|Haiku|Code|Desktop|Instant|Pro|Flash|Ultra|Nano|Scout|Maverick|Large|Small|Medium|Max|Lite)$/;
const VERSION = /^(?: v?\d{1,2}(?:\.\d{1,3}|(?![\d.:/-]))| model|-\d)/;
const VERSION_OF_ANYTHING = /^ v?\d{1,2}\.\d{1,3}(?!\d)/;

/** Also behind a word in small letters: `julia 1.10.3`. */
const FULL_VERSION = /^ v?\d{1,3}\.\d{1,3}\.\d/;

/** A digit, or the `v` before one. */
function mayBeVersion(unit: number): boolean {
  return unit === 0x76 || isDigitUnit(unit);
}

/** `Claude Opus`, `Gemma 3`, `Rosetta 2.1`. */
export function isProduct(text: string, start: number, end: number, found: string): boolean {
  if (text[end] === ' ' && mayBeVersion(text.charCodeAt(end + 1))) {
    const after = text.slice(end, end + 12);
    if (VERSION_OF_ANYTHING.test(after) && ONE_WORD.test(found)) return true;
    if (FULL_VERSION.test(after) && !found.includes(' ')) return true;
  }
  if ((firstWords.at(text, start) & HAS_PRODUCT) === 0) return false;
  const after = text.slice(end, end + 10);
  return (
    PRODUCT.test(found) &&
    (PRODUCT_WORD.test(found) || VERSION.test(after) || /[a-z]-$/.test(text.slice(start - 2, start)))
  );
}
