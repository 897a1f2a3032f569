import { isVaried, looksDrawn, looksRandom } from './randomness.js';
import { BEHIND_ESCAPE, type SecretPattern } from './secret-pattern.js';
import { hasTokenChecksum, isJsonWebToken } from './token-checks.js';

/** A token with the prefix of its service. No word character may stand next to it. */
function token(type: string, source: string, more: Partial<SecretPattern> = {}): SecretPattern {
  return {
    type,
    pattern: new RegExp(`(?:(?<![A-Za-z0-9_-])|${BEHIND_ESCAPE})(?:${source})(?![A-Za-z0-9])`, 'g'),
    sign: beginningOf(source),
    check: looksDrawn,
    ...more,
  };
}

/** The characters that all matches of `source` start with, where they are rare enough. */
function beginningOf(source: string): RegExp | undefined {
  const letters = /^[A-Za-z0-9_-]{3,}(?![?*{|])/.exec(source)?.[0];
  return letters === undefined || source.includes('|') ? undefined : new RegExp(letters);
}

/** Tokens, keys and credentials of well-known services, in the form that their makers document. */
export const TOKEN_PATTERNS: readonly SecretPattern[] = [
  // AWS uses EXAMPLE in the keys of its documentation, which people use to try a guard.
  token('AWS_ACCESS_KEY', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}', { check: isVaried }),
  {
    type: 'AWS_SECRET_KEY',
    pattern:
      /aws[a-z_. -]{0,24}(?:secret|key)[a-z_. -]{0,16}["']?\s{0,4}[:=]\s{0,4}["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  {
    type: 'AWS_SESSION_TOKEN',
    pattern:
      /aws[_-]?session[_-]?token["']?\s{0,4}[:=]\s{0,4}["']?(?<secret>[A-Za-z0-9/+]{100,1200}={0,2})(?![A-Za-z0-9/+=])/gi,
  },
  token('AWS_BEDROCK_KEY', 'ABSK[A-Za-z0-9+/]{100,280}={0,2}'),
  token('GITHUB_TOKEN', 'gh[pousr]_[A-Za-z0-9]{36}', { certain: hasTokenChecksum }),
  token('GITHUB_TOKEN', 'github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'),
  token('NPM_TOKEN', 'npm_[A-Za-z0-9]{36}', { certain: hasTokenChecksum }),
  token(
    'GITLAB_TOKEN',
    'gl(?:pat|dt|rt|ptt|ft|imt|agent|soat|cbt|oas|ffct)-[A-Za-z0-9_-]{20,300}(?:\\.[0-9a-z]{2}(?:\\.[0-9a-z]{7,9}|[0-9a-z]{7}))?',
  ),
  token('SLACK_TOKEN', 'xox[abeoprs]-[0-9]{8,14}-[A-Za-z0-9-]{10,120}'),
  token('SLACK_TOKEN', 'xoxe(?:\\.xox[bp])?-[0-9]-[A-Za-z0-9]{100,220}'),
  token('SLACK_TOKEN', 'xoxd-[A-Za-z0-9%+/=_-]{40,400}'),
  token('SLACK_TOKEN', 'xapp-[0-9]-[A-Z0-9]{9,14}-[0-9]{10,14}-[0-9a-f]{32,80}'),
  {
    type: 'SLACK_WEBHOOK',
    pattern:
      /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/(?<secret>T[A-Z0-9]{6,14}\/[A-Za-z0-9/]{20,60})/g,
  },
  token('STRIPE_KEY', '[rs]k_(?:live|test)_[A-Za-z0-9]{20,120}', {
    check: (secret) => looksDrawn(secret.slice('sk_test_'.length)),
  }),
  token('STRIPE_KEY', 'whsec_[A-Za-z0-9+/=]{32,64}'),
  token('OPENAI_KEY', 'sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,80}T3BlbkFJ[A-Za-z0-9_-]{20,80}'),
  token('OPENAI_KEY', 'sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}'),
  token('OPENAI_KEY', 'sk-[A-Za-z0-9]{48}'),
  token('ANTHROPIC_KEY', 'sk-ant-[a-z0-9]{3,10}-[A-Za-z0-9_-]{60,120}'),
  token('GOOGLE_API_KEY', 'AIza[A-Za-z0-9_-]{35}'),
  token('GOOGLE_API_KEY', 'AQ\\.Ab8[A-Za-z0-9_-]{40,60}'),
  token('GOOGLE_TOKEN', 'GOCSPX-[A-Za-z0-9_-]{28}'),
  token('GOOGLE_TOKEN', 'ya29\\.(?:c\\.)?[A-Za-z0-9_-]{30,1000}'),
  token('GOOGLE_TOKEN', '1//0[A-Za-z0-9_-]{40,120}', { check: looksRandom }),
  token('GOOGLE_STORAGE_KEY', 'GOOG1?[A-Z0-9]{56,60}'),
  { type: 'AZURE_KEY', pattern: /(?:AccountKey|SharedAccessKey)=(?<secret>[A-Za-z0-9+/]{43,86}={1,2})/g },
  {
    type: 'AZURE_SAS',
    sign: /[?&]sig=/i,
    pattern: /[?&]sig=(?<secret>[A-Za-z0-9+/%]{40,120}?(?:%3D|=)(?:%3D|=)?)(?![A-Za-z0-9%=])/gi,
  },
  token('AZURE_KEY', '[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}', { sign: /JQQJ99/ }),
  token('AZURE_KEY', '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}', { sign: /AZDO/ }),
  token('AZURE_KEY', '[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{4}==', { sign: /AzFu/ }),
  token('AZURE_KEY', '[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}', { sign: /Q~/ }),
  token('TWILIO_KEY', 'SK[0-9a-f]{32}'),
  {
    type: 'TWILIO_KEY',
    pattern:
      /twilio[a-z_. -]{0,16}(?:token|secret)["']?\s{0,4}[:=]\s{0,4}["']?(?<secret>[0-9a-f]{32})(?![0-9a-f])/gi,
  },
  token('SENDGRID_KEY', 'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'),
  token('MAILGUN_KEY', 'key-[0-9a-f]{32}'),
  token('MAILCHIMP_KEY', '[0-9a-f]{32}-us[0-9]{1,2}', { sign: /-us[0-9]/ }),
  token('TELEGRAM_TOKEN', '[0-9]{8,10}:AA[A-Za-z0-9_-]{33}'),
  token('DISCORD_TOKEN', '[MNO][A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}'),
  {
    type: 'DISCORD_WEBHOOK',
    pattern:
      /https:\/\/(?:[a-z]{1,8}\.)?discord(?:app)?\.com\/api\/webhooks\/[0-9]{17,20}\/(?<secret>[A-Za-z0-9_-]{60,80})/g,
  },
  token('HUGGINGFACE_TOKEN', '(?:hf_|api_org_)[A-Za-z0-9]{34}'),
  token('REPLICATE_TOKEN', 'r8_[A-Za-z0-9]{37}'),
  token('GROQ_KEY', 'gsk_[A-Za-z0-9]{52}'),
  token('NVIDIA_KEY', 'nvapi-[A-Za-z0-9_-]{60,80}'),
  token('FIREWORKS_KEY', 'fw_[A-Za-z0-9]{22,24}', { check: looksRandom }),
  token('FIRECRAWL_KEY', 'fc-[0-9a-f]{32}'),
  token('PERPLEXITY_KEY', 'pplx-[A-Za-z0-9]{48}'),
  token('XAI_KEY', 'xai-[A-Za-z0-9]{80}'),
  token('OPENROUTER_KEY', 'sk-or-v1-[0-9a-f]{64}'),
  token('DEEPSEEK_KEY', 'sk-[0-9a-f]{32}'),
  token('TOGETHER_KEY', 'tgp_v1_[A-Za-z0-9_-]{43}'),
  token('LANGSMITH_KEY', 'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}'),
  token('LANGFUSE_KEY', 'sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
  token('PINECONE_KEY', 'pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{50,70}'),
  token('TAVILY_KEY', 'tvly-(?:dev-|prod-)?[A-Za-z0-9-]{32,58}'),
  token('ELEVENLABS_KEY', 'sk_[0-9a-f]{48}'),
  token('DIGITALOCEAN_TOKEN', 'do[por]_v1_[0-9a-f]{64}'),
  token('SHOPIFY_TOKEN', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'),
  token('SQUARE_TOKEN', 'EAAA[A-Za-z0-9_-]{60}', { check: looksRandom }),
  token('SQUARE_TOKEN', 'sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}'),
  token('PYPI_TOKEN', 'pypi-AgEI[A-Za-z0-9_-]{50,300}'),
  token('RUBYGEMS_KEY', 'rubygems_[0-9a-f]{48}'),
  token('DOCKER_TOKEN', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,64}'),
  token('DATABRICKS_TOKEN', '(?:dapi|dose)[0-9a-f]{32}(?:-[0-9])?'),
  token('CRATES_TOKEN', 'cio[A-Za-z0-9]{32}', { check: looksRandom }),
  token('NUGET_KEY', 'oy2[a-z0-9]{43}'),
  token('SONAR_TOKEN', 'sq[upa]_[0-9a-f]{40}'),
  token('BUILDKITE_TOKEN', 'bk(?:ua|at|ct)_[0-9a-f]{40}'),
  token('CIRCLECI_TOKEN', 'CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[0-9a-f]{40}'),
  token('PULUMI_TOKEN', 'pul-[0-9a-f]{40}'),
  token('NETLIFY_TOKEN', 'nfp_[A-Za-z0-9]{36}'),
  token('HEROKU_KEY', 'HRKU-[A-Za-z0-9_-]{36,64}'),
  token('FLY_TOKEN', '(?:fo1_[A-Za-z0-9_-]{43}|fm2_[A-Za-z0-9+/=]{100,600})'),
  token('CLOUDFLARE_KEY', 'v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}'),
  token('VERCEL_TOKEN', 'vc[pikar]_[A-Za-z0-9]{50,60}'),
  token('RENDER_KEY', 'rnd_[A-Za-z0-9]{28,32}', { check: looksRandom }),
  token('TAILSCALE_KEY', 'tskey-[a-z]{3,10}-[A-Za-z0-9]{6,20}-[A-Za-z0-9]{20,48}'),
  token('PLANETSCALE_TOKEN', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}'),
  token('ONEPASSWORD_TOKEN', 'ops_eyJ[A-Za-z0-9+/_-]{200,1200}={0,2}'),
  token('DYNATRACE_TOKEN', 'dt0[a-z][0-9]{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  token('MONGODB_ATLAS_KEY', 'mdb_sa_sk_[A-Za-z0-9_-]{40}'),
  token('ALIBABA_KEY', 'LTAI[A-Za-z0-9]{16,20}'),
  token('TENCENT_KEY', 'AKID[A-Za-z0-9]{32}', { check: looksRandom }),
  token('YANDEX_KEY', 'AQVN[A-Za-z0-9_-]{35,38}'),
  token('EASYPOST_KEY', 'EZ[AT]K[A-Za-z0-9]{54}'),
  token('RESEND_KEY', 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}', { check: looksRandom }),
  token('DROPBOX_TOKEN', 'sl\\.[A-Za-z0-9_-]{130,300}'),
  token('META_TOKEN', 'EAA[A-Za-z0-9]{100,300}'),
  token('POSTHOG_KEY', 'ph[xs]_[A-Za-z0-9]{43,50}'),
  token('LINEAR_KEY', 'lin_api_[A-Za-z0-9]{40}'),
  token('NOTION_TOKEN', 'ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43}'),
  token('POSTMAN_KEY', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'),
  token('NEW_RELIC_KEY', 'NRAK-[A-Z0-9]{27}'),
  token('GRAFANA_TOKEN', 'glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2}'),
  token('VAULT_TOKEN', 'hv[bsr]\\.[A-Za-z0-9_-]{24,300}'),
  token('TERRAFORM_TOKEN', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,70}', { sign: /atlasv1/ }),
  token('DOPPLER_TOKEN', 'dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9]{40,44}'),
  token('SENTRY_TOKEN', 'sntry[su]_[A-Za-z0-9+/=_-]{40,300}'),
  token('SUPABASE_TOKEN', 'sbp_[0-9a-f]{40}'),
  token('SUPABASE_TOKEN', 'sb_secret_[A-Za-z0-9_-]{20,60}'),
  token('NEON_KEY', 'napi_[a-z0-9]{60,70}'),
  token('ATLASSIAN_TOKEN', 'ATATT3[A-Za-z0-9_=-]{100,250}'),
  token('BITBUCKET_TOKEN', 'ATBB[A-Za-z0-9]{32}', { check: looksRandom }),
  token('FIGMA_TOKEN', 'figd_[A-Za-z0-9_-]{40,60}'),
  token('AIRTABLE_TOKEN', 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}'),
  token('AGE_KEY', 'AGE-SECRET-KEY-1[0-9A-Z]{58}'),
  token('JSON_WEB_TOKEN', 'eyJ[A-Za-z0-9_-]{10,2000}\\.eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{20,1000}', {
    check: isJsonWebToken,
    certain: () => true,
  }),
];
