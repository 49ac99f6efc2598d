/**
 * What people build passwords from when they must think of one quickly: words, names, teams, towns, keyboard rows, months.
 * Those of this region and of this business are there, too. In lower case, letters only.
 */
export const COMMON_WORDS: readonly string[] = `
password passwort passcode passphrase passwd pass pwd secret secrets secure security letmein login logon signin welcome
access account admin administrator administration root superuser sysadmin system user username guest default changeme
change changethis changeit temp temporary test testing tester example sample demo hello helloworld world computer
internet network server database service windows linux ubuntu apple google facebook whatsapp instagram twitter youtube
microsoft office outlook gmail yahoo samsung nokia huawei iphone android mobile phone telephone laptop keyboard mouse
monitor printer router wifi wireless master manager boss owner maker approver viewer developer treasurer auditor support
staff company business finance account accounts accounting money kwacha ngwee naira dollar euro pound rand shilling cash
wallet payment payments payout payouts pawapay mobilemoney airtel airtelmoney vodacom zamtel mtnmomo momo kafue kafuepay
zambia lusaka ndola kitwe kabwe livingstone chingola mufulira luanshya kasama chipata mongu solwezi choma mazabuka
copperbelt zambezi luangwa victoria victoriafalls falls nigeria lagos abuja kano ibadan kaduna enugu benin africa african
congo tanzania kenya nairobi malawi zimbabwe harare botswana namibia angola mozambique southafrica uganda rwanda ghana
chipolopolo supereagles bafana simba nkana zanaco zesco powerdynamos greenbuffaloes redarrows arsenal chelsea liverpool
manchester united manutd mancity city tottenham everton barcelona realmadrid madrid juventus milan bayern football
soccer basketball baseball hockey cricket rugby tennis golf swimming boxing racing sport sports champion champions
winner winners messi ronaldo neymar rooney drogba mbappe jordan kobe lebron tiger tigers lion lions lioness eagle eagles
leopard elephant buffalo giraffe zebra hippo crocodile monkey dragon phoenix panther wolf wolves bear horse horses pony
chicken rooster rabbit turtle dolphin shark fish fishing bird birds butterfly spider snake puppy kitten doggy dogs cats
flower flowers rose roses lily daisy tulip orchid sunflower garden forest mountain river ocean beach island summer winter
spring autumn fall sunshine sunny sunrise sunset rainbow rain snow snowflake thunder lightning storm star stars
starlight moon moonlight heaven angel angels devil demon jesus christ jesuschrist jesuslovesme jesusislord jesussaves
lord godisgood godislove godisgreat godislife god bless blessed blessing blessings amen amazinggrace grace mercy faith
hope charity love loved lovely lover lovers loveyou loveme lovelove iloveyou ilovegod ilovejesus ilovemyself ilovemum
ilovemydad mylove mybaby myself mylife mypassword thisismypassword forever foreveryoung always family mother father
mummy mommy daddy papa mama parents children child baby babe babygirl babyboy brother sister sisters cousin auntie uncle
grandma grandpa husband wife wedding married friend friends friendship bestfriend bestfriends bestie darling honey
sweetheart sweetie sweet sugar candy cookie cookies chocolate vanilla strawberry banana orange mango pineapple cherry
coffee water pepper ginger cheese pizza nshima burger butter peanut princess prince queen king kings kingdom royal
knight warrior soldier captain pirate ninja samurai hunter ranger rangers cowboy cowboys superman superstar batman
spiderman ironman captainamerica avengers marvel pokemon pikachu naruto minecraft fortnite callofduty starwars
starwarsfan skywalker darthvader matrix trustno trustnoone trustnobody trust nothing everything something anything
whatever freedom liberty independence peace peaceful justice truth wisdom knowledge power powerful strong
strength victory success successful lucky luck fortune million millionaire billionaire diamond diamonds gold golden
silver platinum bronze copper emerald purple yellow green blue black white pink violet crimson scarlet monday tuesday
wednesday thursday friday saturday sunday january february march april june july august september october november
december birthday happybirthday christmas merrychristmas newyear happynewyear easter happy happiness smile smiling
laughter funny crazy cool awesome amazing beautiful beauty pretty handsome genius smart clever student school college
university teacher doctor nurse engineer lawyer police driver pilot music guitar piano dance dancer dancing singer
rock rocknroll hiphop reggae gospel michael jackson daniel david james john johnny joseph joshua peter paul patrick
charles george william robert richard thomas anthony andrew alexander benjamin brian chanda mutale mulenga banda phiri
mwansa mwila chisenga chilufya bwalya kabwe kunda lungu sakala tembo zulu daka ngoma njovu moono mutinta mweemba
hamoonga hichilema kaunda mwanawasa chiluba kapwepwe natasha mapalo thandiwe chipo tendai tinashe emeka chukwu chinedu
oluwa adeola ngozi blessing ibrahim mohammed muhammad abdullah fatima aisha maria mary martha esther ruth sarah hannah
rachel rebecca jessica jennifer jasmine ashley nicole michelle amanda samantha elizabeth charlotte victoria stephanie
precious memory gift patience beatrice charity lombe qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm
qazwsx qazwsxedc wsxedc edcrfv poiuyt lkjhgf mnbvcxz abcdef abcdefgh abcabc alphabet alphabeta numbers number one two
three four five six seven eight nine zero onetwothree onetwothreefour onetwothreefourfive correcthorsebatterystaple
correct battery staple opensesame open sesame abracadabra hocuspocus supercalifragilisticexpialidocious itsasecret
dontknow donotknow idontknow forgot forgotten iforgot ihatepasswords nopassword newpassword oldpassword enter please
pleaseletme letmeinnow openup keepout stayaway goaway comeon letsgo thequickbrownfox quickbrownfox tobeornottobe
maytheforcebewithyou forcebewithyou winteriscoming hakunamatata carpediem livelaughlove yolo never nevergiveup
giveup remember nevermind justdoit believe dream dreams dreamer dreaming imagine magic magical fantasy mystery midnight
night knightrider shadow darkness light sunlight fire flame flames burning ice water earth wind metal metallica
nirvana slipknot blink eminem rihanna beyonce drake tupac biggie bobmarley marley bmw mercedes toyota corolla nissan
mazda honda ferrari porsche lamborghini mustang corvette camaro harley yamaha kawasaki truck racecar speed turbo
`
  .trim()
  .split(/\s+/);
