/**
 * Chinese, Japanese and Korean names and towns in their own script, where they stand alone in a sentence of another one:
 * a frequent surname with letters that given names are made of, and large towns. Running text has no blanks to tell a
 * name by, and is left alone.
 */

import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';

const SCORE = 0.65;
const RUN = /[\u3005\u4e00-\u9fff]{2,6}(?: [\u4e00-\u9fff]{1,3})?(?![\u3040-\u30ff])|[\uac00-\ud7a3]{2,8}/gu;
/**
 * A run of characters counts only where none of these letters stands beside it: with one of them, the sentence would go
 * on.
 */
const OF_RUN = /[\u3005\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/u;
const CHINESE_SURNAME =
  '欧阳|歐陽|司马|司馬|上官|诸葛|諸葛|[王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林高罗羅郑鄭梁谢謝宋唐许許邓鄧冯馮韩韓曹曾彭萧蕭肖蔡潘田董袁于余叶葉蒋蔣杜苏蘇魏程吕呂丁沈任姚卢盧傅钟鍾姜崔谭譚廖范汪陆陸金石戴贾賈韦韋夏邱方侯邹鄒熊孟秦白江阎閻薛尹段雷龙龍黎史陶贺賀顾顧毛郝龚龔邵万萬钱錢严嚴赖賴覃洪武莫孔]';
/** Letters that given names are made of, and few other words. */
const CHINESE_GIVEN =
  '伟偉芳娜敏静靜丽麗强強磊军軍洋勇艳豔杰傑娟涛濤明超秀英瑛霞平刚剛桂兰蘭玉萍红紅玲芬燕彬鹏鵬辉輝凤鳳洁潔梅琳云雲莉雪荣榮爱愛妹香月莺鶯媛瑞凡佳嘉琼瓊勤珍贞貞璐瑶瑤怡婵嬋雁蓓仪儀荷丹蓉眉君琴蕊薇菁梦夢岚嵐婷馨瑾颖穎露瑜婕滢瀅倩妍茜雯欣悦悅昕宇浩轩軒然博文昊天泽澤铭銘俊豪子涵梓萱雨桐诗詩思琪睿晨旭阳陽鑫凯凱斌波毅峰龙龍建国國华華志义義兴興良海山仁宁寧贵貴福生元全胜勝学學祥才发發新利清飞飛富顺順信昌成康星光达達安茂德庆慶晓曉春彤舒若昀昱皓哲轶懿卓然翔楠森林柏钧鈞锋鋒钢鋼健永世广廣绍紹功松善厚裕河兆敬振壮壯毓慧巧美惠珠翠雅芝淑如佩';
const CHINESE_NAME = lean(`^(?:${CHINESE_SURNAME}) ?[${CHINESE_GIVEN}]{1,2}$`, 'u');
/** Ordinary words of such letters. */
const NO_CHINESE_NAME = new Set(
  '高明 高兴 高興 高雅 高清 高贵 高峰 高山 高利 高光 高新 高安 高飞 白云 白雲 白天 白雪 白玉 白山 金文 金山 金星 金玉 金鱼 金龙 金利 金牌 江山 江海 黄海 黄河 黃河 黄山 黃山 黄金 黄昏 黄豆 方法 方良 石油 石山 石英 石林 石家 雷雨 雷达 雷達 万国 万全 萬全 万安 万福 万达 万能 严厉 严重 严明 安全 平安 余生 夏天 夏日 秦国 唐山 唐文 宋文 唐诗 唐詩 宋慶 韩国 韓國 韩文 韓文 韩语 周全 周刊 周生 周期 马达 馬達 马力 马德 林海 林业 龙山 龙江 武器 武德 武平 孔明 孟子 孔子 庄子 孙子 孫子 王子 王国 王國 田园 田文 叶子 葉子 何如 何国 何时 杜康 任天 任平 谢天 许文 程文 毛利 钱财 莫如 陈列 江天 姜文 史诗 史詩 史学 史學 夏令 陶文 石子 马子 侯爱 段子 万元 萬元 金元 方志 方言 徐海 成都 于是 林子 洪福 马桂 安康 青海'.split(
    ' ',
  ),
);
const JAPANESE_SURNAME =
  '佐藤|鈴木|高橋|田中|渡辺|渡邊|伊藤|山本|中村|小林|加藤|吉田|山田|佐々木|山口|松本|井上|木村|斎藤|斉藤|清水|山崎|阿部|森田|池田|橋本|石川|山下|中島|石井|小川|前田|岡田|長谷川|藤田|後藤|近藤|村上|遠藤|青木|坂本|福田|西村|太田|藤井|岡本|三浦|金子|藤原|中野|中川|原田|松田|竹内|小野|田村|中山|和田|石田|上田|内田|柴田|酒井|宮崎|横山|高木|安藤|宮本|大野|小島|谷口|今井|工藤|高田|増田|丸山|杉山|村田|大塚|新井|小山|平野|藤本|河野|上野|野口|武田|松井|千葉|菅原|岩崎|久保|木下|佐野|野村|松尾|菊地|市川|杉本|古川|大西|島田|水野|桜井|吉川|山内|飯田|西田|菊池|北村|五十嵐';
const JAPANESE_NAME = lean(`^(?:${JAPANESE_SURNAME}) ?[\\u3005\\u4e00-\\u9fff]{1,3}$`, 'u');
const KOREAN_GIVEN =
  '민준서연지현우수영은호진성미정경희숙자순옥혜원태재동상철석훈규용기종병환윤하나라람빈예린솔아유주도건승인선세찬광창명화애향춘일남근범욱열식복란련균택덕봉금필채슬율';
const KOREAN_NAME = lean(
  `^(?<name>[김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노곽성차주우구민진나지엄채원천방공현함변염여추도석선설마길연위표명기반왕금옥육인맹제모탁국어은편용][${KOREAN_GIVEN}]{2})(?:씨|님|은|는|이|가|을|를|에게|와|과|의)?$`,
  'u',
);
/** Ordinary words of such syllables. */
const NO_KOREAN_NAME =
  /^(?:이상|한국|안녕|정도|이유|고기|주인|자동|전자|인도|유명|남자|여자|주소|전화|기준|기간|공기|도서|우유|지금)/u;
const TOWNS = new Set(
  (
    '北京 上海 广州 廣州 深圳 天津 重庆 重慶 成都 武汉 武漢 西安 杭州 南京 苏州 蘇州 青岛 青島 大连 大連 沈阳 瀋陽 长沙 長沙 郑州 鄭州 哈尔滨 长春 昆明 贵阳 南宁 福州 厦门 廈門 济南 合肥 南昌 太原 石家庄 兰州 银川 西宁 拉萨 乌鲁木齐 呼和浩特 海口 三亚 宁波 无锡 佛山 东莞 珠海 温州 烟台 洛阳 桂林 ' +
    '香港 澳门 澳門 台北 臺北 高雄 台中 臺中 台南 臺南 新竹 基隆 广东 四川 浙江 江苏 山东 云南 福建 湖南 湖北 河南 河北 东京 東京 大阪 京都 名古屋 横浜 神戸 札幌 福岡 仙台 広島 奈良 金沢 長崎 千葉 埼玉 川崎 静岡 新潟 熊本 鹿児島 那覇 沖縄 北海道 九州 四国 中国 中國 日本 韩国 韓國 台湾 臺灣 ' +
    '서울 부산 인천 대구 대전 광주 울산 수원 제주 제주도 성남 고양 용인 창원 청주 전주 천안 포항 김해 여수 강릉 춘천 평양 경기도 한국'
  ).split(' '),
);
/** What a town or a province has behind its name. */
const KIND = /(?:[市省县縣府都]|시|도|에서|에|로)$/u;

/** Adds what it finds in `piece`, which begins at `from`. */
export function eastAsianNames(piece: string, from: number, found: NameSpan[]): void {
  for (const { index, 0: run } of matchesOf(piece, RUN)) {
    const end = index + run.length;
    if (OF_RUN.test(piece[index - 1] ?? '') || OF_RUN.test(piece[end] ?? '')) continue;
    const korean = KOREAN_NAME.exec(run)?.groups?.name;
    if (TOWNS.has(run) || TOWNS.has(run.replace(KIND, '')))
      found.push({ type: 'LOCATION', start: from + index, end: from + end, score: SCORE });
    else if (korean !== undefined && !NO_KOREAN_NAME.test(run))
      found.push({ type: 'PERSON', start: from + index, end: from + index + korean.length, score: SCORE });
    else if ((CHINESE_NAME.test(run) && !NO_CHINESE_NAME.has(run)) || JAPANESE_NAME.test(run))
      found.push({ type: 'PERSON', start: from + index, end: from + end, score: SCORE });
  }
}
